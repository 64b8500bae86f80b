import type { ExecutionView } from "../client/types.ts";

/** The states that an execution can be listed by. */
export const STATES = [
  "running",
  "waiting",
  "paused",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly ExecutionView["state"][];
