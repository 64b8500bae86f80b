import { LIMITS } from "../limits.ts";
import { NonRetryableError, OperationRefused } from "../steps/errors.ts";
import type { Journal } from "./journal.ts";

/** What an operation that is asked for inside a step is refused with; it ends that step. `step` where it is known. */
export function nestedError(step: string | undefined, operation: string): NonRetryableError {
  const inside = step === undefined ? "a step" : `step ${step}`;
  return new NonRetryableError(
    `Cannot use ${operation} inside ${inside} as a step is one unit of work: ask for it in the workflow's own code.`,
    { code: "NESTED_STEP" },
  );
}

/** What an operation is refused with that is asked for after the workflow's function has ended. */
export function endedError(): OperationRefused {
  const message = "Cannot ask for an operation as the workflow's function has ended: await what it starts.";
  return new OperationRefused("EXECUTION_ENDED", message);
}

/**
 * Bounds what a replay has to hold in memory.
 *
 * @throws OperationRefused with code `OPERATIONS_LIMIT` or `JOURNAL_LIMIT`
 */
export function checkLimits(op: number, journal: Journal): void {
  const { operationsPerExecution } = LIMITS;
  if (op >= operationsPerExecution) {
    const rule = `an execution may have ${operationsPerExecution} operations`;
    throw new OperationRefused("OPERATIONS_LIMIT", `Cannot ask for another operation as ${rule}.`);
  }
  checkJournalSize(journal);
}

/** It takes no more than what is under way. */
export function isFull(journal: Journal): boolean {
  return journal.bytes > LIMITS.journalBytes;
}

/** @throws OperationRefused with code `JOURNAL_LIMIT` */
export function checkJournalSize(journal: Journal): void {
  if (!isFull(journal)) return;
  const rule = `it may have ${LIMITS.journalBytes} bytes besides its large values`;
  throw new OperationRefused("JOURNAL_LIMIT", `Cannot add to the journal as ${rule}.`);
}
