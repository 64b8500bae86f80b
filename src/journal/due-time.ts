import type { LastingOperation } from "./state.ts";

/** When an open operation is due by itself. */
export function dueTime(operation: LastingOperation): number | undefined {
  switch (operation.kind) {
    case "step":
      return operation.phase === "waiting" ? operation.retryAt : undefined;
    case "sleep":
    case "signal":
    case "callback-result":
    case "execution":
      return operation.dueAt;
    // They wait for an answer, and what they send is in the outbox.
    case "child":
    case "message":
      return undefined;
  }
}
