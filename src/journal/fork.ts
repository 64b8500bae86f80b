import { isEnd, type Entry, type Started } from "./entry.ts";
import { fold } from "./fold.ts";
import { emptyState, type State } from "./state.ts";

/** Before what an execution is forked: the name of a step with its occurrence, or the number of an entry. */
export type Before = string | number | undefined;

export interface Cut {
  readonly kind: "cut";
  /** The number of the first entry that is not copied. */
  readonly entry: number;
  /** The time of the last one that is. */
  readonly cutAt: number;
  /** How long the fork has from its own start, where the original has a deadline that its code was not told of. */
  readonly deadlineMs?: number;
}

export interface NoCut {
  readonly kind: "refused";
  readonly code: "VALIDATION_ERROR" | "UNSUPPORTED" | "FORK_INSIDE_CALLBACK";
  readonly message: string;
}

/** Names that a refusal lists. */
const NAMES_SHOWN = 20;

/**
 * Where the journal of an execution is cut for a fork. Without `before` everything is copied that came before its end.
 * What an end writes at once is one: a cut inside of it lies before it.
 *
 * @param state the fold of the whole journal
 */
export function decideCut(state: State, entries: Iterable<Entry>, before: Before): Cut | NoCut {
  const refused = checkBefore(state, before);
  if (refused !== undefined) return refused;
  const copy = emptyState();
  let cutAt = 0;
  let held: Entry[] = [];
  let number = 0;
  for (const entry of entries) {
    if (isCutBefore(entry, number, before)) break;
    number += 1;
    held.push(entry);
    if (isBeforeEnd(entry, copy)) continue;
    for (const known of held) fold(copy, known);
    cutAt = entry.at;
    held = [];
  }
  if (copy.unreadable !== undefined) {
    const message = `Cannot fork the execution as a newer engine wrote what would be copied: current value is ${copy.unreadable}`;
    return { kind: "refused", code: "UNSUPPORTED", message };
  }
  return openCallback(copy, cutAt) ?? { kind: "cut", entry: copy.entries, cutAt, ...deadlineOf(copy) };
}

/** The outside has the original's URL, and no answer to that would ever reach the fork. */
function openCallback({ callbacks }: State, cutAt: number): NoCut | undefined {
  for (const { name, dueAt, answer, isExpired } of callbacks.values()) {
    const isOver = answer !== undefined || isExpired || (dueAt !== undefined && dueAt <= cutAt);
    if (isOver) continue;
    const rule = "it must not lie between the creation of a callback and its answer or the end of its time";
    const message = `Cannot cut the journal there as ${rule}: current value lies inside of callback "${name}"`;
    return { kind: "refused", code: "FORK_INSIDE_CALLBACK", message };
  }
  return undefined;
}

function checkBefore(state: State, before: Before): NoCut | undefined {
  if (before === undefined) return undefined;
  if (typeof before === "string") return checkStep(state, before);
  const last = state.entries - (state.end === undefined ? 0 : 1);
  if (Number.isInteger(before) && before >= 1 && before <= last) return undefined;
  return refusal(`the number of an entry must be from 1 to ${last}`, String(before));
}

function checkStep({ operations }: State, name: string): NoCut | undefined {
  const names = operations.filter(({ kind }) => kind === "step").map((step) => step.name);
  if (names.includes(name)) return undefined;
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return refusal(`it must name a step that the execution has, and those are ${shown || "none"}${more}`, `"${name}"`);
}

function refusal(rule: string, value: string): NoCut {
  const message = `Cannot use before as ${rule}: current value is ${value}`;
  return { kind: "refused", code: "VALIDATION_ERROR", message };
}

function isCutBefore(entry: Entry, number: number, before: Before): boolean {
  switch (typeof before) {
    case "number":
      return number === before;
    case "string":
      return "kind" in entry && entry.kind === "step" && entry.name === before;
    default:
      return entry.type === "ending" || isEnd(entry);
  }
}

/** It is written ahead of an end, and says nothing without it. */
function isBeforeEnd({ type }: Entry, { ending }: State): boolean {
  return ending === undefined && (type === "abandoned" || type === "rollback-not-run");
}

/** A deadline counts from the fork, as from a start; one that the code was told of is a part of what it has seen. */
function deadlineOf({ started, cancelBy, cancelDelivered }: State): Pick<Cut, "deadlineMs"> {
  if (started?.deadlineAt === undefined || (cancelDelivered && cancelBy === "deadline")) return {};
  return { deadlineMs: started.deadlineAt - Math.max(started.startAt ?? 0, started.at) };
}

/** The first entry of a fork that is made at `at`: that of the original, so that its code sees the same on replay. */
export function startedOfFork(
  original: Started,
  { id, at, deadlineMs }: { readonly id: string; readonly at: number; readonly deadlineMs: number | undefined },
): Started {
  if (deadlineMs === undefined) return { ...original, id };
  return { ...original, id, deadlineAt: Math.max(original.startAt ?? 0, at) + deadlineMs };
}
