import type { ExecutionState } from "../../../journal/execution-state.ts";

const isOpen = (state: ExecutionState): boolean => state === "running" || state === "waiting";

/**
 * The state that a page shows: that of the journal, which is newer than the view. Only whether the workflow's code is at
 * work, which no entry tells, comes from the view.
 */
export function shownState(journal: ExecutionState, view: ExecutionState | undefined): ExecutionState {
  return view !== undefined && isOpen(journal) && isOpen(view) ? view : journal;
}
