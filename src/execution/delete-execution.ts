import { waitsOf } from "../journal/view.ts";
import { LIMITS } from "../limits.ts";
import type { Execution } from "./execution.ts";
import type { Refused } from "./wire.ts";

export interface Purged {
  readonly kind: "purged";
}

/** Resolves when something is so, at the latest after a time. */
export type Until = (isSo: () => boolean, waitMs: number) => Promise<void>;

/** Purges an execution that has ended, before its time: others must know of its end first, and the directory of this. */
export async function deleteExecution(current: () => Execution, until: Until): Promise<Purged | Refused> {
  if (current().state.end === undefined) {
    const message = "Cannot delete the execution as it has not ended.";
    return { kind: "refused", code: "EXECUTION_NOT_ENDED", message };
  }
  await deliverAll(current, until);
  const [undelivered] = waitsOf(current().state);
  if (undelivered !== undefined) {
    const message =
      "Cannot delete the execution as others must know of its end first, and cannot be reached: " +
      `current value is ${undelivered.name}`;
    return { kind: "refused", code: "EXECUTION_UNREACHABLE", message };
  }
  if (await current().purge.purge()) return { kind: "purged" };
  const message = "Cannot delete the execution as the directory must know of it first, and cannot be reached.";
  return { kind: "refused", code: "UNAVAILABLE", message };
}

/** Sends what is undelivered, and waits for the answers. */
async function deliverAll(current: () => Execution, until: Until): Promise<void> {
  const undelivered = () => current().state.outbox.size;
  for (let left = undelivered(); left > 0;) {
    current().deliverNow();
    await until(() => !current().isDelivering, LIMITS.requestWaitMs);
    // A start that is acknowledged may be followed by a cancellation.
    if (undelivered() >= left) return;
    left = undelivered();
  }
}
