/** `running`: something runs now. `waiting`: only time or a message can move it. */
export const EXECUTION_STATES = ["running", "waiting", "paused", "completed", "failed", "cancelled"] as const;

export type ExecutionState = (typeof EXECUTION_STATES)[number];
