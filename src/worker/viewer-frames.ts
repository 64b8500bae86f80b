import type { Deployment } from "../execution/deployment.ts";
import type { ReadFrame, ViewerFrame, ViewerTerms } from "../execution/viewer-frame.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { readsOnly } from "./auth.ts";
import { parseFrame, sentValue } from "./body.ts";
import { sendSignalBy, type Way } from "./execution-requests.ts";
import { checkIdempotencyKey } from "./identifiers.ts";
import type { FrameAnswerDocument } from "./openapi/answers.ts";
import { Problem, problemDocument, problemOf } from "./problem.ts";
import { type Frame, frameId, type FrameCommand, readFrame, type SignalFrame } from "./requests.ts";
import { granted } from "./addressed.ts";

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
  const { name, idempotencyKey, value: sent } = frame;
  const key = idempotencyKey === undefined ? undefined : checkIdempotencyKey(idempotencyKey);
  const value = async () => (sent === undefined ? undefined : sentValue(sent, viewer.form));
  const way: Way = { ask: (call) => call(port), tell: (call) => call(port) };
  const { workflow } = viewer;
  const { duplicate } = await sendSignalBy(way, { deployment, workflow }, { name, key, waitMs: 0, value });
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
