import type { Answer } from "../journal/delivery.ts";
import { operationKey } from "../journal/key-owner.ts";
import type { Encoded, Started } from "../journal/entry.ts";
import { nameText, type ExecutionName } from "../journal/execution-name.ts";
import type { Message } from "../journal/message-entry.ts";
import type { Undelivered } from "../journal/outbox.ts";
import type { State } from "../journal/state.ts";
import { acceptInput, acceptSignal, type Unacceptable } from "./accept.ts";
import { latestWorkflow, type Deployment } from "./deployment.ts";
import { outcomeViewOf } from "./execution-view.ts";
import { formatIssues } from "./issue.ts";
import type { Journal } from "./journal.ts";
import { encodeOutcome } from "./outcome.ts";
import type { Executions } from "./ports.ts";
import { receiverOf } from "./receiver.ts";
import type { Absent, CommandRequest, ExecutionPort, Refused, StartRequest, WatchRefused } from "./wire.ts";
import { definitionOf } from "./workflow.ts";

export interface Sender {
  readonly journal: Journal;
  readonly deployment: Deployment;
  readonly executions: Executions;
}

/**
 * Sends one message to another execution, and gives its answer. Rejects where there is none, and where only another
 * deployment can give it: that is no refusal.
 */
export async function deliver(message: Undelivered, sender: Sender): Promise<Answer> {
  const { state } = sender.journal;
  const { started } = state;
  if (started === undefined) throw new Error("Cannot send anything before the start.");
  const { what, op, to } = message;
  const port = sender.executions(to);
  switch (what) {
    case "start":
      return await start({ op, to, port, started }, sender);
    case "watch":
      return await watch({ to, port, started }, sender);
    case "message":
      return await send({ op, to, port, started }, sender);
    case "cancel":
      return acknowledged(await port.command({ ...cancelOf(state, started), parentKey: keyOf(state, op) }));
    case "tell":
      return await tell(port, started, sender);
  }
}

interface Delivery {
  readonly to: ExecutionName;
  readonly port: ExecutionPort;
  readonly started: Started;
}

type Of = Delivery & { readonly op: number };

async function start({ op, to, port, started }: Of, { journal, deployment }: Sender): Promise<Answer> {
  const definition = definitionOf(latestWorkflow(deployment, to.workflow));
  if (definition === undefined) return unknown(`start ${nameText(to)} as no workflow of this name is deployed`);
  const { maximumValueBytes } = deployment;
  const raw = journal.decode(inputOf(journal.state, op));
  const accepted = await acceptInput(definition, raw, { maximumValueBytes, at: ["input"] });
  if (accepted.kind === "unacceptable") return unacceptable(accepted);
  const { version } = definition;
  const { input, inputHash } = accepted;
  // Read only now: the cancellation may have come while the schema was asked.
  const isCancelled = isCancelDue(journal.state, op);
  const request: StartRequest = {
    ...to,
    ...(version !== undefined && { version }),
    input,
    inputHash,
    ...(started.origin !== undefined && { origin: started.origin }),
    ...(started.trace !== undefined && { trace: started.trace }),
    parent: { workflow: started.workflow, id: started.id, key: keyOf(journal.state, op) },
    ...(isCancelled && { cancel: { reason: reasonOf(journal.state, started) } }),
    waitMs: 0,
  };
  const answer = await port.start(request);
  if (answer.kind === "refused") return refused(answer);
  return { kind: "started", adopted: answer.adopted === true, cancelled: isCancelled };
}

async function watch({ to, port, started }: Delivery, { journal }: Sender): Promise<Answer> {
  const answer = await port.watch({ by: { workflow: started.workflow, id: started.id } });
  switch (answer.kind) {
    case "watched":
      return answer;
    case "ended":
      return { kind: "ended", outcome: (ahead) => encodeOutcome(answer.outcome, journal, ahead) };
    case "absent":
      return unknown(`await ${nameText(to)} as no execution of this name exists`);
    case "refused":
      return refused(answer);
  }
}

async function send({ op, to, port }: Of, sender: Sender): Promise<Answer> {
  const message = messageOf(sender.journal.state, op);
  if (message.kind === "cancel") {
    const { reason } = message;
    const answer = await port.command({ command: "cancel", ...(reason !== undefined && { reason }) });
    if (answer.kind === "absent") return unknown(`cancel ${nameText(to)} as no execution of this name exists`);
    return acknowledged(answer);
  }
  const { journal, deployment } = sender;
  const { signal: name } = message;
  const absent = () => unknown(`send ${nameText(to)} a signal as no execution of this name exists`);
  const receiver = await receiverOf(deployment, to.workflow, () => port.view());
  if (receiver.kind === "absent") return absent();
  if (receiver.kind === "not-deployed") throw new Error(receiver.message);
  const terms = { maximumValueBytes: deployment.maximumValueBytes, at: [] };
  const accepted = await acceptSignal(receiver.terms, { name, value: journal.decode(message.value) }, terms);
  if (accepted.kind === "unacceptable") return unacceptable(accepted);
  const key = operationKey(sender.journal.state, `message ${op}`);
  const answer = await port.signal({ name, value: accepted.value, key, waitMs: 0 });
  if (answer.kind === "absent") return absent();
  return answer.kind === "refused" ? refused(answer) : { kind: "accepted" };
}

async function tell(port: ExecutionPort, { workflow, id, parent }: Started, { journal }: Sender): Promise<Answer> {
  const outcome = outcomeViewOf(journal);
  if (outcome === undefined) throw new Error("Cannot tell an end that has not come.");
  const parentKey = parent?.key;
  return acknowledged(await port.told({ workflow, id, ...(parentKey !== undefined && { parentKey }), outcome }));
}

/** Where it has ended or does not exist, there is nothing left to be done. */
function acknowledged(answer: { readonly kind: string } | Absent | Refused): Answer {
  const isFault = isRefused(answer) && answer.code !== "EXECUTION_ENDED";
  return isFault ? refused(answer) : { kind: "accepted" };
}

function isRefused(answer: { readonly kind: string }): answer is Refused {
  return answer.kind === "refused";
}

/** Another deployment would not refuse it so, and may come any moment. */
function refused({ code, message }: Refused | WatchRefused): Answer {
  if (code === "NOT_CONFIGURED" || code === "UNSUPPORTED") throw new Error(message);
  return { kind: "refused", code, message };
}

function unknown(what: string): Answer {
  return { kind: "refused", code: "NOT_FOUND", message: `Cannot ${what}.` };
}

function unacceptable({ code, message, issues = [] }: Unacceptable): Answer {
  const faults = issues.length === 0 ? "" : `: ${formatIssues(issues)}`;
  return { kind: "refused", code, message: `${message}${faults}` };
}

function keyOf(state: State, op: number): string {
  return operationKey(state, `child ${op}`);
}

function cancelOf(state: State, started: Started): CommandRequest {
  return { command: "cancel", reason: reasonOf(state, started) };
}

function reasonOf({ cancelRequestedAt, end }: State, started: Started): string {
  const isCancelled = cancelRequestedAt !== undefined || end?.type === "cancelled";
  return `The parent execution ${nameText(started)} ${isCancelled ? "was cancelled" : "has ended"}.`;
}

function inputOf({ operations }: State, op: number): Encoded {
  const child = operations[op];
  if (child?.kind !== "child" || child.input === undefined)
    throw new Error(`Cannot start child ${op} as it is started.`);
  return child.input;
}

function isCancelDue({ operations }: State, op: number): boolean {
  const child = operations[op];
  return child?.kind === "child" && child.cancel === "due";
}

function messageOf({ operations }: State, op: number): Message {
  const operation = operations[op];
  if (operation?.kind !== "message" || operation.message === undefined) {
    throw new Error(`Cannot send message ${op} as it is delivered.`);
  }
  return operation.message;
}
