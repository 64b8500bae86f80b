import { LIMITS } from "../limits.ts";
import { OperationRefused } from "../steps/errors.ts";
import type { Journal } from "./journal.ts";

/**
 * Checks that the journal may take operation number `op`.
 *
 * @throws OperationRefused with code `OPERATIONS_LIMIT` or `JOURNAL_LIMIT`
 */
export function checkRoom(journal: Journal, op: number): void {
  if (op >= LIMITS.operationsPerExecution) {
    throw limitError("OPERATIONS_LIMIT", `an execution may have ${LIMITS.operationsPerExecution} operations`);
  }
  if (journal.bytes > LIMITS.journalBytes) {
    throw limitError("JOURNAL_LIMIT", `a journal may have ${LIMITS.journalBytes} bytes besides its large values`);
  }
}

function limitError(code: string, rule: string): OperationRefused {
  return new OperationRefused(code, `Cannot ask for another operation as ${rule}.`);
}
