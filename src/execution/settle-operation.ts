import type { Settlement } from "../journal/state.ts";
import { CancelledError } from "../steps/errors.ts";
import type { Journal } from "./journal.ts";
import type { Operation } from "./operation-promise.ts";

/** Settles the promise of an operation with what the journal holds; a signal is handed over instead. */
export function settleOperation(
  operation: Operation,
  settlement: Exclude<Settlement, { readonly kind: "signal" }>,
  journal: Journal,
): void {
  switch (settlement.kind) {
    case "value":
      return operation.resolve(journal.decode(settlement.value));
    case "error":
      return operation.reject(journal.decode(settlement.error));
    case "elapsed":
      return operation.resolve(undefined);
    case "no-signal":
      return operation.resolve({ received: false });
    case "cancelled":
      return operation.reject(new CancelledError(settlement.reason ?? "The execution was cancelled."));
  }
}
