import { showEntry } from "../../../journal/entry-value.ts";
import type { Entry } from "../../../journal/entry.ts";
import { fold } from "../../../journal/fold.ts";
import { emptyState, type State } from "../../../journal/state.ts";
import { emptyHistory, type History, type ShownEntry } from "./history.ts";
import { remember } from "./fold-history.ts";

/** An execution as it was after some entry: as the engine saw it, and what had become of everything. */
export interface Past {
  readonly state: State;
  readonly history: History;
}

export function emptyPast(): Past {
  return { state: emptyState(), history: emptyHistory() };
}

/** Takes one more entry; in place. */
export function takeEntry({ state, history }: Past, entry: ShownEntry): void {
  fold(state, withoutValue(entry));
  remember(history, entry);
}

/** The execution as it was before the entry of this number. */
export function pastBefore(entries: readonly ShownEntry[], number: number): Past {
  const past = emptyPast();
  for (const entry of entries.slice(0, number)) takeEntry(past, entry);
  return past;
}

/** The engine's fold takes values as its codec writes them, and looks into none: any of them will do. */
const NO_VALUE = -1;

function withoutValue(entry: ShownEntry): Entry {
  // The cast: nothing but its value was replaced.
  return showEntry(entry, () => NO_VALUE) as unknown as Entry;
}
