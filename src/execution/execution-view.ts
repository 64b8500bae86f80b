import { nextWorkAt } from "../journal/next-wake.ts";
import { cancelReasonOf, countRollbacks, countSteps, executionState, reasonOf, waitsOf } from "../journal/view.ts";
import type { Execution } from "./execution.ts";
import type { Journal } from "./journal.ts";
import type { ExecutionView, OutcomeView } from "./wire.ts";

/** What callers see of an execution. */
export function viewOf({ state, journal, isBusy }: Execution): ExecutionView {
  const { started, forked, end, progress, cancelRequestedAt } = state;
  if (started === undefined) throw new Error("Cannot view the execution as its storage failed; ask again.");
  const reason = reasonOf(state);
  const cancelReason = cancelReasonOf(state);
  const next = nextWorkAt(state);
  const rollbacks = countRollbacks(state);
  const outcome = outcomeViewOf(journal);
  const { parent } = started;
  return {
    id: started.id,
    workflow: started.workflow,
    ...(started.version !== undefined && { version: started.version }),
    state: executionState(state, isBusy),
    startedAt: started.at,
    ...(parent !== undefined && forked === undefined && { parent: { workflow: parent.workflow, id: parent.id } }),
    ...(forked !== undefined && { forkedFrom: { id: forked.id, entry: forked.entry, at: forked.at } }),
    ...(started.deadlineAt !== undefined && { deadlineAt: started.deadlineAt }),
    attributes: state.attributes,
    ...(end !== undefined && { endedAt: end.at }),
    ...(outcome !== undefined && { outcome }),
    ...(progress !== undefined && { progress: journal.text(progress) }),
    waitingFor: waitsOf(state),
    ...(next !== undefined && end === undefined && { nextWakeAt: next }),
    steps: countSteps(state),
    ...(rollbacks !== undefined && { rollbacks }),
    ...(reason !== undefined && { reason }),
    unreadSignals: state.unreadSignals,
    ...(cancelRequestedAt !== undefined && { cancelRequestedAt }),
    ...(cancelReason !== undefined && { cancelReason }),
    usage: {
      ...journal.usage,
      entries: state.entries,
      operations: state.operations.length,
      journalBytes: journal.bytes,
    },
  };
}

/** How it ended, if it has. */
export function outcomeViewOf(journal: Journal): OutcomeView | undefined {
  const { end } = journal.state;
  if (end === undefined) return undefined;
  if (end.type === "completed") return { kind: "completed", value: journal.text(end.value) };
  if (end.type === "cancelled") return { kind: "cancelled" };
  const { declared, code, message, details } = end;
  return { kind: "failed", declared, code, message, details: journal.text(details) };
}
