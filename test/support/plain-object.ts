import { env } from "cloudflare:workers";
import { createExecutionClass, surroundingsOf } from "../../src/durable-object/execution-object.ts";
import { createDeployment } from "../../src/execution/deployment.ts";
import type { Clock } from "../../src/execution/ports.ts";
import type { AnyWorkflow } from "../../src/execution/workflow.ts";
import type { StartAnswer, StartRequest } from "../../src/execution/wire.ts";
import { hashText } from "../../src/journal/draw.ts";
import { canonicalText, encodeValue } from "../../src/journal/value.ts";
import { frameReader } from "../../src/worker/viewer-frames.ts";
import { LIMITS } from "../../src/limits.ts";
import { registerObject } from "../workers/registry.ts";
import type { Execution } from "../workers/worker.ts";

let objects = 0;

/** An execution's object as an application has it: real clock, real alarms, nothing in between, unless a clock is given. */
export function plainObject(workflow: AnyWorkflow, clock?: Clock): DurableObjectStub<Execution> {
  objects += 1;
  const name = `plain-${objects}`;
  const deployment = createDeployment({ workflows: [workflow] });
  const surroundings = { ...surroundingsOf("EXECUTIONS"), ...(clock && { clock }) };
  const Class = createExecutionClass(deployment, surroundings, frameReader(deployment));
  registerObject(name, (ctx, bindings) => new Class(ctx, bindings));
  return env.EXECUTIONS.get(env.EXECUTIONS.idFromName(name));
}

/** What a caller sends to start `workflow`. */
export function startRequest(
  workflow: AnyWorkflow,
  request: { readonly input?: unknown; readonly waitMs?: number } = {},
): StartRequest {
  return {
    workflow: workflow.name,
    id: "e-1",
    input: encodeValue(request.input, LIMITS.valueBytes),
    inputHash: hashText(canonicalText(request.input)),
    waitMs: request.waitMs ?? 0,
  };
}

/** Starts it, and answers when it ends or a minute is over. */
export async function runPlain(workflow: AnyWorkflow, stub = plainObject(workflow)): Promise<StartAnswer> {
  const started = await stub.start(startRequest(workflow));
  if (started.kind === "refused") throw new Error(started.message);
  const found = await stub.result(LIMITS.requestWaitMs);
  if (found.kind === "absent") throw new Error("The execution is gone.");
  return { ...started, view: found.view };
}
