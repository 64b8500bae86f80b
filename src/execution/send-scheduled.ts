import { decodeValue } from "../journal/value.ts";
import type { Schedule } from "../schedules/schedule.ts";
import type { LastStart, PendingStart, ScheduledEnd, StartResult } from "../schedules/schedule-state.ts";
import { acceptInput } from "./accept.ts";
import { latestWorkflow, type Deployment } from "./deployment.ts";
import { formatIssues } from "./issue.ts";
import type { Executions } from "./ports.ts";
import type { ExecutionView, StartRequest } from "./wire.ts";
import { definitionOf } from "./workflow.ts";

export interface ScheduledStart {
  readonly schedule: Schedule;
  readonly start: PendingStart;
  /** What the schedule started before, where that is known. */
  readonly last: LastStart | undefined;
}

interface Sender {
  readonly deployment: Deployment;
  readonly executions: Executions;
}

type Settled = Exclude<StartResult, { readonly kind: "failed" }>;

/** Sends one start of a schedule, as its overlap wants it. Rejects where nobody knows what came of it. */
export async function sendScheduled(sending: ScheduledStart, sender: Sender): Promise<Settled> {
  const { start } = sending;
  // A trigger that was repeated under its key is none of its own successors.
  const found = start.by === "trigger" ? await find(start, sender) : undefined;
  if (found !== undefined) return { kind: "started", created: false, startedAt: found.startedAt };
  return (await yieldTo(sending, sender)) ?? (await send(sending, sender));
}

/** How an execution has ended; `undefined` while it has not. */
export async function endOf(
  name: Pick<LastStart, "workflow" | "id">,
  executions: Executions,
): Promise<ScheduledEnd | undefined> {
  const answer = await executions({ workflow: name.workflow, id: name.id }).view();
  return answer.kind === "absent" ? "gone" : answer.view.outcome?.kind;
}

async function find({ workflow, id }: PendingStart, { executions }: Sender): Promise<ExecutionView | undefined> {
  const answer = await executions({ workflow, id }).view();
  return answer.kind === "found" ? answer.view : undefined;
}

/** Makes room for the start, or gives what stands in its way. */
async function yieldTo(
  { schedule, start, last }: ScheduledStart,
  { executions }: Sender,
): Promise<Settled | undefined> {
  if (schedule.overlap === "allow" || last === undefined || last.ended !== undefined || last.id === start.id) return;
  if (schedule.overlap === "skip") {
    return (await endOf(last, executions)) === undefined ? { kind: "skipped", running: last.id } : undefined;
  }
  const reason = `The schedule ${schedule.name} starts ${start.id}.`;
  const answer = await executions({ workflow: last.workflow, id: last.id }).command({ command: "cancel", reason });
  // Where it has ended or is gone, there is nothing left to be done.
  if (answer.kind === "refused" && answer.code !== "EXECUTION_ENDED") throw new Error(answer.message);
  return undefined;
}

async function send({ schedule, start }: ScheduledStart, { deployment, executions }: Sender): Promise<Settled> {
  const { workflow, id, at } = start;
  const definition = definitionOf(latestWorkflow(deployment, workflow));
  if (definition === undefined) {
    const message = `Cannot start ${workflow}/${id} as no workflow of this name is deployed.`;
    return { kind: "refused", code: "NOT_FOUND", message };
  }
  const { maximumValueBytes } = deployment;
  const accepted = await acceptInput(definition, decodeValue(schedule.input), { maximumValueBytes, at: ["input"] });
  if (accepted.kind === "unacceptable") {
    const { code, message, issues = [] } = accepted;
    return { kind: "refused", code, message: issues.length === 0 ? message : `${message}: ${formatIssues(issues)}` };
  }
  const { version } = definition;
  const request: StartRequest = {
    workflow,
    id,
    ...(version !== undefined && { version }),
    input: accepted.input,
    inputHash: accepted.inputHash,
    attributes: { schedule: schedule.name, scheduledAt: at },
    waitMs: 0,
  };
  const answer = await executions({ workflow, id }).start(request);
  if (answer.kind === "started") return { kind: "started", created: answer.created, startedAt: answer.view.startedAt };
  // It exists, perhaps with the input of an earlier deployment: a time is never started twice.
  if (answer.code === "ID_CONFLICT") return { kind: "started", created: false, startedAt: at };
  // Nothing else is said of a start but that the object does not know the workflow yet.
  throw new Error(answer.message);
}
