import { CancelledError, DeclaredError, HttpRefusal, NonRetryableError, StepExhausted } from "../steps/errors.ts";
import type { Abandoned, Asked, CancelDelivered, Encoded, Ended } from "./entry.ts";
import type { State } from "./state.ts";

/** Operations named by one entry: an entry has to fit a row. */
const OPERATIONS_AN_ENTRY = 500;

/** The end that an error thrown by the workflow's code means; `undefined` for a failure of the run, which is no end. */
export function endOf(thrown: unknown, at: number, encode: (value: unknown) => Encoded): Ended | undefined {
  if (CancelledError.is(thrown)) return { type: "cancelled", by: "workflow", at };
  if (DeclaredError.is(thrown)) {
    const { code, message, details } = thrown;
    return { type: "failed", declared: true, code, message, details: encode(details), at };
  }
  const failed = { type: "failed" as const, declared: false, at };
  if (StepExhausted.is(thrown)) {
    const { step, attempts, refusal, message } = thrown;
    const details = { step, attempts, ...(refusal !== undefined && { refusal }) };
    return { ...failed, code: "STEP_EXHAUSTED", message, details: encode(details) };
  }
  if (HttpRefusal.is(thrown)) {
    const { status, code, message } = thrown;
    const details = { status, ...(code !== undefined && { code }) };
    return { ...failed, code: "HTTP_REFUSAL", message, details: encode(details) };
  }
  if (NonRetryableError.is(thrown)) {
    return { ...failed, code: thrown.code, message: thrown.message, details: encode(thrown.details) };
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
