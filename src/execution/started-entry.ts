import { startBudget } from "../journal/budget.ts";
import { JOURNAL_FORMAT, type Entry, type Started } from "../journal/entry.ts";
import { keyOwner } from "../journal/key-owner.ts";
import { rootTrace } from "../journal/span.ts";
import type { TraceContext } from "../journal/trace-context.ts";
import { termsOf, type Deployment } from "./deployment.ts";
import type { Execution } from "./execution.ts";
import type { StartRequest } from "./wire.ts";
import type { WorkflowDefinition } from "./workflow.ts";

export interface StartedHere {
  readonly execution: Pick<Execution, "journal" | "now">;
  readonly deployment: Deployment;
  readonly definition: WorkflowDefinition;
}

/** The first entry of a journal. */
export function startedEntry(request: StartRequest, here: StartedHere): Started {
  const { workflow, id, version, inputHash, attributes, parent, origin } = request;
  const { execution, deployment, definition } = here;
  const { policy, timeoutMs } = termsOf(deployment, definition);
  const at = execution.now;
  const trace = request.trace ?? ownTrace(request, deployment, at);
  return {
    type: "started",
    format: JOURNAL_FORMAT,
    workflow,
    id,
    ...(version !== undefined && { version }),
    ...(parent !== undefined && { parent }),
    seed: `${workflow}/${id}/${at}`,
    input: execution.journal.encoded(request.input),
    inputHash,
    policy,
    timeoutMs,
    retentionMs: definition.retentionMs ?? deployment.retentionMs,
    ...timesOfStart(request, definition, at),
    ...(attributes !== undefined && { attributes }),
    ...startBudget(request.budget, definition.budget),
    ...(origin !== undefined && { origin }),
    ...(trace !== undefined && { trace }),
    at,
  };
}

/** Where spans are wanted and nobody has begun a trace, the execution does: its children and requests belong to it. */
function ownTrace({ workflow, id }: StartRequest, { onSpan }: Deployment, at: number): TraceContext | undefined {
  return onSpan === undefined ? undefined : rootTrace(keyOwner({ workflow, id, at }));
}

/** A deadline counts from when the code may first run. */
function timesOfStart(
  { startAt = 0, deadlineMs }: StartRequest,
  definition: WorkflowDefinition,
  now: number,
): Pick<Started, "startAt" | "deadlineAt"> {
  const limitMs = deadlineMs ?? definition.deadlineMs;
  return {
    ...(startAt > now && { startAt }),
    ...(limitMs !== undefined && { deadlineAt: Math.max(startAt, now) + limitMs }),
  };
}

/** A child that was cancelled before it was started leaves its end, so that no later start can revive it. */
export function endBeforeStart({ cancel }: StartRequest, at: number): Entry[] {
  if (cancel === undefined) return [];
  const { reason } = cancel;
  return [
    { type: "cancel-requested", reason, at },
    { type: "cancelled", by: "before-start", reason, at },
  ];
}
