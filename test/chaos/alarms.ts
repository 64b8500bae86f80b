import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { nextWakeAt } from "../../src/journal/next-wake.ts";
import { emptyState, runningAttempts, type State } from "../../src/journal/state.ts";
import { LIMITS } from "../../src/limits.ts";
import { hasEnded, type Stored } from "./stored.ts";

/** The clocks of two processes, and a handler that was about to set it. */
const TOLERANCE_MS = 2_000;

export function stateOf(entries: readonly Entry[]): State {
  const state = emptyState();
  for (const entry of entries) fold(state, entry);
  return state;
}

/** What is wrong with the alarm of an execution whose process has just been killed; `undefined` where nothing is. */
export function alarmFault({ entries, alarmAt }: Stored, killedAt: number): string | undefined {
  const state = stateOf(entries);
  if (isSettled(state) || state.pause !== undefined || waitsForMessages(state)) return undefined;
  if (alarmAt === undefined) return "has no alarm, and is not over";
  const latest = Math.max(nextWakeAt(state) ?? 0, killedAt + LIMITS.leaseMs) + TOLERANCE_MS;
  return alarmAt <= latest ? undefined : `has its alarm ${alarmAt - latest} ms too late`;
}

function isSettled(state: State): boolean {
  const { end, started } = state;
  return end !== undefined && started !== undefined && nextWakeAt(state) === end.at + started.retentionMs;
}

/** Nothing will happen by itself. */
function waitsForMessages(state: State): boolean {
  const open = [...state.open.values()];
  return open.length > 0 && open.every((operation) => operation.kind === "signal" && operation.dueAt === undefined);
}

/** Work that a kill left behind: who continues it, and how long after that was possible. */
export interface LeftBehind {
  readonly execution: string;
  /** Entries that there were. */
  readonly entries: number;
  /** When it could go on at the earliest, had nobody killed it. */
  readonly dueAt: number;
}

export function leftBehind(execution: string, stored: Stored, killedAt: number): LeftBehind | undefined {
  if (hasEnded(stored)) return undefined;
  const state = stateOf(stored.entries);
  if (state.pause !== undefined) return undefined;
  const dueAt = runningAttempts(state).length > 0 ? killedAt : nextWakeAt(state);
  return dueAt === undefined ? undefined : { execution, entries: stored.entries.length, dueAt };
}

/** A time in which the Worker was up, and what it had found when it came. */
export interface Life {
  readonly readyAt: number;
  readonly killedAt: number;
  readonly found: readonly LeftBehind[];
}

/** The longest time that something which was due had to wait in a life; what did not come in it, waits in the next. */
export function longestWait(lives: readonly Life[], journals: ReadonlyMap<string, Stored>) {
  let longest = { ms: 0, execution: "none" };
  for (const { readyAt, killedAt, found } of lives) {
    for (const { execution, entries, dueAt } of found) {
      const cameAt = journals.get(execution)?.entries[entries]?.at ?? Number.POSITIVE_INFINITY;
      const ms = Math.min(cameAt, killedAt) - Math.max(readyAt, dueAt);
      if (ms > longest.ms) longest = { ms, execution };
    }
  }
  return longest;
}
