import { CancelledError, NonRetryableError } from "../../src/steps/errors.ts";
import type { Outcome } from "../support/host.ts";

/** How the code ended. */
export type Result = { readonly value: unknown } | { readonly error: unknown };

export const TOO_LATE = "The execution did not end before its deadline.";

/** How the execution ends then. `deadlineAt` is given where that is what cancelled it. */
export function outcomeOf(result: Result, deadlineAt: number | undefined): Outcome {
  if ("value" in result) return { kind: "completed", value: result.value };
  const { error } = result;
  const failed = { kind: "failed" as const, declared: false };
  if (CancelledError.is(error)) {
    if (deadlineAt === undefined) return { kind: "cancelled" };
    return { ...failed, code: "DEADLINE_EXCEEDED", message: TOO_LATE, details: { deadlineAt } };
  }
  if (!NonRetryableError.is(error)) throw error;
  return { ...failed, code: error.code, message: error.message, details: error.details };
}
