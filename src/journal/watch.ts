import { LIMITS } from "../limits.ts";
import { nameText, type ExecutionName } from "./execution-name.ts";
import type { Watched } from "./message-entry.ts";
import type { State } from "./state.ts";

export type WatchDecision =
  | { readonly kind: "entry"; readonly entry: Watched }
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly code: "WATCHERS_LIMIT" | "UNSUPPORTED"; readonly message: string };

/** What it leads to that another execution asks for the end of this one. The parent is told anyway. */
export function decideWatched(state: State, by: ExecutionName, at: number): WatchDecision {
  const { end, unreadable, watchers, started, forked } = state;
  const name = nameText(by);
  const isParent = started?.parent !== undefined && forked === undefined && nameText(started.parent) === name;
  if (end !== undefined || isParent || watchers.has(name)) return { kind: "unchanged" };
  if (unreadable !== undefined) {
    const message = `Cannot watch the execution as a newer engine wrote its journal: current value is ${unreadable}`;
    return { kind: "refused", code: "UNSUPPORTED", message };
  }
  if (watchers.size >= LIMITS.watchers) {
    const message = `Cannot watch the execution as at most ${LIMITS.watchers} others may: current value is ${watchers.size}`;
    return { kind: "refused", code: "WATCHERS_LIMIT", message };
  }
  return { kind: "entry", entry: { type: "watched", by, at } };
}
