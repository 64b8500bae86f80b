import { env } from "cloudflare:workers";
import { defineWorkflow, type AnyWorkflow } from "stepwell";
import { drain, evict, wake } from "stepwell/testing/workerd";
import { describe, expect, it } from "vitest";
import { createExecutionClass, surroundingsOf } from "../../../src/durable-object/execution-object.ts";
import { createDeployment } from "../../../src/execution/deployment.ts";
import { decodeValue } from "../../../src/journal/value.ts";
import { frameReader } from "../../../src/worker/viewer-frames.ts";
import { startRequest } from "../../support/plain-object.ts";
import { registerObject } from "../../workers/registry.ts";

const { EXECUTIONS } = env;

/** The object of an execution as an application has it, under its real name. */
function objectOf(workflow: AnyWorkflow, id: string) {
  const name = `${workflow.name}/${id}`;
  const deployment = createDeployment({ workflows: [workflow] });
  const Class = createExecutionClass(deployment, surroundingsOf("EXECUTIONS"), frameReader(deployment));
  registerObject(name, (ctx, bindings) => new Class(ctx, bindings));
  return EXECUTIONS.get(EXECUTIONS.idFromName(name));
}

async function startedOf(workflow: AnyWorkflow, id: string) {
  const stub = objectOf(workflow, id);
  await stub.start({ ...startRequest(workflow), id });
  return async () => {
    const found = await stub.view();
    return found.kind === "found" ? found.view : undefined;
  };
}

describe("the helpers for tests in workerd", () => {
  it("wait until nothing runs any more", async () => {
    const workflow = defineWorkflow({ name: "drained" }, async ({ step }) => {
      for (let i = 0; i < 3; i += 1) {
        await step.run("work", () => new Promise<void>((resolve) => setTimeout(resolve, 5)));
      }
      return "done";
    });
    const view = await startedOf(workflow, "d-1");
    await drain(EXECUTIONS);
    const { outcome } = (await view()) ?? {};
    expect(outcome?.kind === "completed" && decodeValue(outcome.value)).toBe("done");
  });

  it("leave what waits for a later time or a message", async () => {
    const workflow = defineWorkflow({ name: "rests" }, ({ sleep }) => sleep("1h"));
    const view = await startedOf(workflow, "r-1");
    await drain(EXECUTIONS);
    expect((await view())?.state).toBe("waiting");
  });

  it("ring an alarm, which brings what is due and nothing else", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "woken" }, async ({ sleep }) => {
      calls += 1;
      await sleep("1h");
    });
    const view = await startedOf(workflow, "w-1");
    await drain(EXECUTIONS);
    expect(await wake(EXECUTIONS, workflow, "w-1")).toBe(true);
    await drain(EXECUTIONS);
    expect([(await view())?.state, calls]).toEqual(["waiting", 1]);
    objectOf(workflow, "w-2");
    expect(await wake(EXECUTIONS, workflow, "w-2")).toBe(false);
  });

  it("take an object out of memory, and the next request replays", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "evicted" }, async ({ sleep }) => {
      calls += 1;
      await sleep("1h");
    });
    const view = await startedOf(workflow, "e-1");
    await drain(EXECUTIONS);
    await evict(EXECUTIONS, workflow, "e-1");
    await evict(EXECUTIONS, workflow, "e-1");
    await wake(EXECUTIONS, workflow, "e-1");
    await drain(EXECUTIONS);
    expect([(await view())?.state, calls]).toEqual(["waiting", 2]);
  });

  it("say which executions do not come to rest", async () => {
    const work = { isFinished: false };
    const workflow = defineWorkflow({ name: "endless" }, ({ step }) =>
      step.run("work", async () => {
        while (!work.isFinished) await new Promise((resolve) => setTimeout(resolve, 1));
      }),
    );
    await startedOf(workflow, "x-1");
    await expect(drain(EXECUTIONS, { timeout: 20 })).rejects.toThrow(
      "Cannot drain the executions as all must rest within 20 ms: endless/x-1 still run.",
    );
    await expect(drain(EXECUTIONS, { timeout: "1d" })).rejects.toThrow("Cannot use timeout as it must be 0 to 600000");
    work.isFinished = true;
    await drain(EXECUTIONS);
  });
});
