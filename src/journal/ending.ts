import { CancelledError, DeclaredError, HttpRefusal, NonRetryableError, StepExhausted } from "../steps/errors.ts";
import { readProperty } from "../steps/read-property.ts";
import { LIMITS } from "../limits.ts";
import type { Abandoned, Asked, CancelDelivered, Encoded, Ended, Entry, Paused } from "./entry.ts";
import { rollbacksNotRun } from "./rollback.ts";
import type { State } from "./state.ts";
import { truncateUtf8 } from "./value-text.ts";

/** Operations named by one entry: an entry has to fit a row. */
const OPERATIONS_AN_ENTRY = 500;

/** The end that an error thrown by the workflow's code means; `undefined` for a failure of the run, which is no end. */
export function endOf(thrown: unknown, at: number, encode: (value: unknown) => Encoded): Ended | undefined {
  if (CancelledError.is(thrown)) return { type: "cancelled", by: "workflow", at };
  if (DeclaredError.is(thrown)) {
    return { type: "failed", declared: true, ...wordsOf(thrown), details: encode(thrown.details), at };
  }
  const failed = { type: "failed" as const, declared: false, at };
  if (StepExhausted.is(thrown)) {
    const { step, attempts, refusal } = thrown;
    const details = { step, attempts, ...(refusal !== undefined && { refusal }) };
    return { ...failed, ...wordsOf(thrown, "STEP_EXHAUSTED"), details: encode(details) };
  }
  if (HttpRefusal.is(thrown)) {
    const { status, code } = thrown;
    const details = { status, ...(code !== undefined && { code }) };
    return { ...failed, ...wordsOf(thrown, "HTTP_REFUSAL"), details: encode(details) };
  }
  if (NonRetryableError.is(thrown)) {
    return { ...failed, ...wordsOf(thrown), details: encode(thrown.details) };
  }
  return undefined;
}

/** Code and message, as long as an entry may carry. An error's properties may have been set to anything. */
function wordsOf(thrown: unknown, known?: string): { readonly code: string; readonly message: string } {
  const code = known ?? readProperty(thrown, "code");
  const message = readProperty(thrown, "message");
  return {
    code: typeof code === "string" ? truncateUtf8(code, LIMITS.failureCodeBytes) : "NON_RETRYABLE",
    message: typeof message === "string" ? truncateUtf8(message, LIMITS.failureMessageBytes) : "",
  };
}

/** Somebody asked for a cancellation and the workflow's code has not been told; too late once it is ending. */
export function isCancelPending(state: State): boolean {
  return state.cancelRequestedAt !== undefined && !state.cancelDelivered && state.ending === undefined;
}

/**
 * A fault pauses the execution. One that is to be cancelled, and cannot be told so now, just ends; `why` then says of
 * its rollbacks that they are not run.
 */
export function pausedByFault(
  state: State,
  fault: Omit<Paused, "type" | "by">,
  why = `${fault.code}: ${fault.message}`,
): Entry[] {
  if (isCancelPending(state)) return cancelUntold(state, why, fault.at);
  return [{ type: "paused", by: "fault", ...fault }];
}

/** The end of a cancelled execution whose code cannot be told, and so gives no rollbacks either. */
export function cancelUntold(state: State, why: string, at: number): Entry[] {
  return [...abandoned(state, at), ...rollbacksNotRun(state, why, at), { type: "cancelled", by: "workflow", at }];
}

/** Everything that is open at the end is named as abandoned. */
export function abandoned(state: State, at: number): Abandoned[] {
  return groupsOf(openOperations(state)).map((ops) => ({ type: "abandoned", ops, at }));
}

/** The cancellation reaches everything that is open. */
export function cancelDelivered(state: State, at: number): CancelDelivered[] {
  return groupsOf(openOperations(state)).map((ops) => ({ type: "cancel-delivered", ops, at }));
}

function openOperations(state: State): Asked[] {
  return [...state.open.values()].map(({ op, kind, name }) => ({ op, kind, name })).sort((a, b) => a.op - b.op);
}

function groupsOf(operations: readonly Asked[]): Asked[][] {
  const groups: Asked[][] = [];
  for (let from = 0; from < operations.length; from += OPERATIONS_AN_ENTRY) {
    groups.push(operations.slice(from, from + OPERATIONS_AN_ENTRY));
  }
  return groups;
}
