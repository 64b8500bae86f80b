import { CancelledError, DeclaredError, HttpRefusal, NonRetryableError, StepExhausted } from "../steps/errors.ts";
import { readProperty } from "../steps/read-property.ts";
import { LIMITS } from "../limits.ts";
import type { Abandoned, Asked, CancelDelivered, Cancelled, Encoded, Ended, Entry, Failed, Paused } from "./entry.ts";
import { rollbacksNotRun } from "./rollback.ts";
import type { State, StepOperation } from "./state.ts";
import { encodeValue } from "./value.ts";
import { truncateUtf8 } from "./value-text.ts";

/** Operations named by one entry: an entry has to fit a row. */
const OPERATIONS_AN_ENTRY = 500;

export interface EndTerms {
  readonly state: State;
  readonly at: number;
  readonly encode: (value: unknown) => Encoded;
}

/** The end that an error thrown by the workflow's code means; `undefined` for a failure of the run, which is no end. */
export function endOf(thrown: unknown, terms: EndTerms): Ended | undefined {
  const { state, at, encode } = terms;
  if (CancelledError.is(thrown)) return endOfCancellation(state, at);
  if (DeclaredError.is(thrown)) {
    return { type: "failed", declared: true, ...wordsOf(thrown), details: encode(thrown.details), at };
  }
  const failed = { type: "failed" as const, declared: false, at };
  if (StepExhausted.is(thrown)) {
    const tooLate = spentByDeadline(state, thrown);
    if (tooLate !== undefined) return deadlineExceeded(state, at, tooLate);
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

/**
 * Somebody asked for a cancellation, or the deadline has passed, and the workflow's code has not been told; too late
 * once it is ending.
 */
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
  return [...abandoned(state, at), ...rollbacksNotRun(state, why, at), endOfCancellation(state, at)];
}

function endOfCancellation(state: State, at: number): Cancelled | Failed {
  if (state.cancelBy === "deadline") return deadlineExceeded(state, at);
  return { type: "cancelled", by: "workflow", at };
}

/** With the step that was spent because its next attempt would have come too late, if one was. */
function deadlineExceeded(state: State, at: number, spent?: StepOperation): Failed {
  const deadlineAt = state.started?.deadlineAt;
  const details = { deadlineAt, ...(spent !== undefined && { step: spent.name, attempts: spent.attempts }) };
  const message =
    spent === undefined
      ? "The execution did not end before its deadline."
      : `The execution cannot end before its deadline as another attempt of step ${spent.name} could only start after it.`;
  return { type: "failed", declared: false, code: "DEADLINE_EXCEEDED", message, details: encodedInPlace(details), at };
}

/** Of what is so small that it never needs a blob. */
function encodedInPlace(value: unknown): Encoded {
  // The cast: it is the codec's own text.
  return JSON.parse(encodeValue(value, LIMITS.inlineValueBytes)) as Encoded;
}

/** As the journal has it: an error's properties may have been set to anything. */
function spentByDeadline(state: State, { step }: StepExhausted): StepOperation | undefined {
  for (const operation of state.operations) {
    if (operation.kind === "step" && operation.spent === "deadline" && operation.name === step) return operation;
  }
  return undefined;
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
