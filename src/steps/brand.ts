/**
 * The errors of the engine are told apart by a brand and never by `instanceof` alone: a replayed error, an error of
 * another copy of this package and the error that was thrown live are the same to every guard.
 */
export const BRAND = Symbol.for("stepwell.error");

/** The name under which an error class is journaled and found again. */
export type Brand =
  | "DeclaredError"
  | "NonRetryableError"
  | "HttpRefusal"
  | "RetryableError"
  | "StepExhausted"
  | "StepTimeout"
  | "StepInterrupted"
  | "CancelledError"
  | "OperationRefused"
  | "ExecutionFailed"
  | "ExecutionCancelled"
  | "RequestRefused"
  | "ResultTimeout";

/** The brand of an engine error, `undefined` for everything else. */
export function brandOf(value: unknown): Brand | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    // The brand may come from another copy of this package, hence the look-up by symbol and the cast.
    return (value as { readonly [BRAND]?: Brand })[BRAND];
  } catch {
    // A proxy that refuses to be read, a revoked one say, is none of ours.
    return undefined;
  }
}

/** Gives the errors of each class its brand, which is also their name. */
export function brandClasses(classes: { readonly [B in Brand]?: { readonly prototype: Error } }): void {
  for (const [brand, errorClass] of Object.entries(classes)) {
    Object.defineProperty(errorClass.prototype, BRAND, { value: brand });
    Object.defineProperty(errorClass.prototype, "name", { value: brand, writable: true, configurable: true });
  }
}
