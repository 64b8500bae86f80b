import type { State, StepOperation } from "./state.ts";

/**
 * Steps whose next attempt may start at `now`, those that have waited longest first: retries in the order of their due
 * times, then queued and interrupted ones in the order in which the code asked.
 */
export function dueSteps(state: State, now: number): StepOperation[] {
  const due: StepOperation[] = [];
  for (const operation of state.open.values()) {
    if (operation.kind !== "step" || operation.phase === "running") continue;
    if (operation.phase !== "waiting" || operation.retryAt <= now) due.push(operation);
  }
  return due.sort((a, b) => sinceOf(a) - sinceOf(b));
}

function sinceOf(step: StepOperation): number {
  return step.phase === "waiting" ? step.retryAt : Number.MAX_SAFE_INTEGER;
}
