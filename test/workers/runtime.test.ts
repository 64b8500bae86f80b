import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createExecutionClass, surroundingsOf } from "../../src/durable-object/execution-object.ts";
import { createDeployment } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { frameReader } from "../../src/worker/viewer-frames.ts";
import { registerObject } from "./registry.ts";

describe("the workers project", () => {
  it("runs inside workerd", () => {
    expect(navigator.userAgent).toBe("Cloudflare-Workers");
  });

  it("reaches the object that the test has registered, with SQLite storage, through its binding", async () => {
    const empty = defineWorkflow({ name: "empty" }, async () => {});
    const deployment = createDeployment({ workflows: [empty] });
    const Execution = createExecutionClass(deployment, surroundingsOf("EXECUTIONS"), frameReader(deployment));
    registerObject("a", (ctx, bindings) => new Execution(ctx, bindings));
    const stub = env.EXECUTIONS.get(env.EXECUTIONS.idFromName("a"));
    expect(await runInDurableObject(stub, (instance) => instance.rowsWritten())).toBe(0);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.sql.databaseSize)).toBeGreaterThanOrEqual(0);
  });
});
