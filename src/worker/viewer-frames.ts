import { type Deployment, latestWorkflow } from "../execution/deployment.ts";
import type { ReadFrame, ViewerFrame, ViewerTerms } from "../execution/viewer-frame.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { definitionOf } from "../execution/workflow.ts";
import { readsOnly } from "./auth.ts";
import { parseFrame, sentValue } from "./body.ts";
import { deliverSignal, receiverOf } from "./deliver-signal.ts";
import { checkIdempotencyKey, checkIdentifier } from "./identifiers.ts";
import type { FrameAnswerDocument } from "./openapi/answers.ts";
import { Problem, problemDocument, problemOf } from "./problem.ts";
import { type Frame, frameId, type FrameCommand, readFrame, type SignalFrame } from "./requests.ts";
import { granted } from "./routes/addressed.ts";

/** As the same request by HTTP is answered; instead of the view it gets the state, as the entries tell the rest. */
type Answer = Omit<FrameAnswerDocument, "id">;

/** Reads what viewers send through a WebSocket. Every command is answered by a frame `{ id?, status, body }`. */
export function frameReader(deployment: Deployment): ReadFrame {
  return (sent, viewer, refusal) => {
    let id: string | undefined;
    try {
      const document = parseFrame(sent, deployment.maximumValueBytes, viewer.form);
      // As soon as it can be read, so that whatever is wrong with the rest is answered under it.
      id = frameId(document);
      const frame = readFrame(document);
      if (frame.kind === "ack") return { kind: "acknowledgement", entry: frame.entry };
      if (viewer.role === "read") throw readsOnly();
      if (refusal !== undefined) throw new Problem(refusal.code, refusal.message);
      return request(id, (port) => tell(port, frame, { deployment, viewer }));
    } catch (fault) {
      return { kind: "refused", answer: answerFrame(id, refusedBy(fault)) };
    }
  };
}

/** Never rejects: whatever happens is an answer. */
function request(id: string | undefined, ask: (port: ExecutionPort) => Promise<Answer>): ViewerFrame {
  const answer = async (port: ExecutionPort) => answerFrame(id, await ask(port).catch(refusedBy));
  return { kind: "request", answer };
}

interface FrameTerms {
  readonly deployment: Deployment;
  readonly viewer: ViewerTerms;
}

function tell(
  port: ExecutionPort,
  frame: Exclude<Frame, { readonly kind: "ack" }>,
  terms: FrameTerms,
): Promise<Answer> {
  return frame.kind === "signal" ? tellSignal(port, frame, terms) : tellCommand(port, frame);
}

async function tellSignal(
  port: ExecutionPort,
  frame: SignalFrame,
  { deployment, viewer }: FrameTerms,
): Promise<Answer> {
  const latest = definitionOf(latestWorkflow(deployment, viewer.workflow));
  if (latest === undefined) throw new Problem("NOT_FOUND", "No workflow of this name is deployed");
  const name = checkIdentifier("signal name", frame.name);
  const key = frame.idempotencyKey === undefined ? undefined : checkIdempotencyKey(frame.idempotencyKey);
  const raw = frame.value === undefined ? undefined : sentValue(frame.value, viewer.form);
  const receiver = await receiverOf(latest, deployment, (call) => call(port));
  const signal = { name, raw, key, waitMs: 0 };
  const { duplicate } = await deliverSignal(signal, { deployment, receiver, tell: (call) => call(port) });
  return { status: 202, body: { accepted: true, duplicate } };
}

async function tellCommand(port: ExecutionPort, { kind: command, reason }: FrameCommand): Promise<Answer> {
  const { changed, view } = granted(await port.command({ command, ...(reason !== undefined && { reason }) }));
  return { status: changed ? 202 : 200, body: { state: view.state } };
}

function refusedBy(fault: unknown): Answer {
  const body = problemDocument(problemOf(fault));
  return { status: body.status, body };
}

function answerFrame(id: string | undefined, { status, body }: Answer): string {
  const document: FrameAnswerDocument = { ...(id !== undefined && { id }), status, body };
  return JSON.stringify(document);
}
