import { NonRetryableError } from "../steps/errors.ts";

/** What an operation that is asked for inside a step is refused with; it ends that step. `step` where it is known. */
export function nestedError(step: string | undefined, operation: string): NonRetryableError {
  const inside = step === undefined ? "a step" : `step ${step}`;
  return new NonRetryableError(
    `Cannot use ${operation} inside ${inside} as a step is one unit of work: ask for it in the workflow's own code.`,
    { code: "NESTED_STEP" },
  );
}
