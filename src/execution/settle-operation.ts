import type { Settlement } from "../journal/state.ts";
import { CancelledError, OperationRefused } from "../steps/errors.ts";
import type { Journal } from "./journal.ts";
import { decodeOutcome } from "./outcome.ts";
import type { Operation } from "./operation-promise.ts";

/** Makes of a journaled value what the workflow's code sees. Throws where it is the value of something else. */
export type ReadValue = (value: unknown) => unknown;

/** Settles the promise of an operation with what the journal holds; a signal is handed over instead. */
export function settleOperation(
  waiting: { readonly operation: Operation; readonly read: ReadValue | undefined },
  settlement: Exclude<Settlement, { readonly kind: "signal" }>,
  journal: Journal,
): void {
  const { operation, read } = waiting;
  switch (settlement.kind) {
    case "value":
      return resolveRead(operation, journal.decode(settlement.value), read);
    case "error":
      return operation.reject(journal.decode(settlement.error));
    case "elapsed":
      return operation.resolve(undefined);
    case "received":
      return operation.resolve({ received: true, value: journal.decode(settlement.value) });
    case "not-received":
      return operation.resolve({ received: false });
    case "cancelled":
      return operation.reject(new CancelledError(settlement.reason ?? "The execution was cancelled."));
    case "started":
      return operation.resolve(Object.freeze({ ...settlement.execution }));
    case "ended":
      return operation.resolve(decodeOutcome(settlement.outcome, journal));
    case "timeout":
      return operation.resolve({ kind: "timeout" });
    case "refused":
      return operation.reject(new OperationRefused(settlement.code, settlement.message));
  }
}

function resolveRead(operation: Operation, value: unknown, read: ReadValue = (given) => given): void {
  let seen: unknown;
  try {
    seen = read(value);
  } catch (error) {
    // The code of the step is another than the one that journaled the value: that is for the workflow's code to hear.
    return operation.reject(error);
  }
  operation.resolve(seen);
}
