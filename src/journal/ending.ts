import { CancelledError, DeclaredError, HttpRefusal, NonRetryableError, StepExhausted } from "../steps/errors.ts";
import type { Abandoned, Asked, CancelDelivered, Encoded, Ended, Failed } from "./entry.ts";
import type { State } from "./state.ts";

/** Operations named by one entry: an entry has to fit a row. */
const OPERATIONS_AN_ENTRY = 500;

export interface EndTerms {
  readonly state: State;
  readonly at: number;
  readonly encode: (value: unknown) => Encoded;
}

/** The end that an error thrown by the workflow's code means; `undefined` for a failure of the run, which is no end. */
export function endOf(thrown: unknown, terms: EndTerms): Ended | undefined {
  const { at, encode } = terms;
  if (CancelledError.is(thrown)) return endOfCancellation(terms);
  if (DeclaredError.is(thrown)) {
    const { code, message, details } = thrown;
    return { type: "failed", declared: true, code, message, details: encode(details), at };
  }
  const failed = { type: "failed" as const, declared: false, at };
  if (StepExhausted.is(thrown)) {
    if (isSpentByDeadline(terms.state, thrown.step)) return deadlineExceeded(terms, thrown);
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

/** The end of an execution whose code lets its cancellation through, or cannot be told of it. */
export function endOfCancellation(terms: EndTerms): Ended {
  if (terms.state.cancelBy === "deadline") return deadlineExceeded(terms);
  return { type: "cancelled", by: "workflow", at: terms.at };
}

/** With the step that was spent because its next attempt would have come too late, if one was. */
function deadlineExceeded({ state, at, encode }: EndTerms, spent?: StepExhausted): Failed {
  const deadlineAt = state.started?.deadlineAt;
  const details = { deadlineAt, ...(spent !== undefined && { step: spent.step, attempts: spent.attempts }) };
  const message =
    spent === undefined
      ? "The execution did not end before its deadline."
      : `The execution cannot end before its deadline as another attempt of step ${spent.step} could only start after it.`;
  return { type: "failed", declared: false, code: "DEADLINE_EXCEEDED", message, details: encode(details), at };
}

function isSpentByDeadline(state: State, name: string): boolean {
  return state.operations.some(
    (operation) => operation.kind === "step" && operation.name === name && operation.spent === "deadline",
  );
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
