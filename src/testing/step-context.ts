import { logOf } from "../execution/context.ts";
import type { StepContext } from "../execution/workflow-context.ts";
import { deriveKey } from "../journal/draw.ts";
import { readFields } from "../steps/read-fields.ts";

const KEYS = ["attempt", "idempotencyKey", "key", "signal", "lastFailure", "log"] as const;

/**
 * What the function of a step is called with, to test that function alone: the first attempt, with a key that is always
 * the same, a signal that never aborts and a log that goes nowhere.
 *
 * @param overrides what is different
 * @throws {TypeError} for a member that no step's context has
 * @example
 * ```ts
 * await chargeCard(order, stepContext({ attempt: 3, signal: AbortSignal.abort() }));
 * ```
 */
export function stepContext(overrides: Partial<StepContext> = {}): StepContext {
  readFields(overrides, "overrides", KEYS);
  const { idempotencyKey = deriveKey("test", "step 0") } = overrides;
  return Object.freeze({
    attempt: 1,
    idempotencyKey,
    key: (label: string) => deriveKey(idempotencyKey, label),
    signal: new AbortController().signal,
    log: logOf(() => {}),
    ...overrides,
  });
}
