import type { ExecutionView, ListFilter } from "../client/types.ts";

/** The states that an execution can be listed by. */
export const STATES = [
  "running",
  "waiting",
  "paused",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly ExecutionView["state"][];

/** The orders of a list. */
export const ORDERS = ["newest", "oldest"] as const satisfies readonly ListFilter["order"][];
