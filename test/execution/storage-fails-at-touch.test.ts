import { describe, expect, it } from "vitest";
import type { ExecutionService } from "../../src/execution/execution-service.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost } from "../support/memory-host.ts";

const once = defineWorkflow({ name: "once" }, ({ step }) => step.run("a", () => 1));

/** An execution that died in its first attempt, and whose storage fails once while the next request heals it. */
async function storageFailsAtTouch() {
  const host = new MemoryHost({ workflows: [once] });
  const object = host.object(once, "x");
  const input = encodeValue(undefined, LIMITS.valueBytes);
  const start = () => object.service.start({ workflow: "once", id: "x", input, inputHash: "h", waitMs: 0 });
  host.faults.afterWrites = () => {
    if (!object.rows.some(({ entries }) => entries.includes("attempt-started"))) return;
    delete host.faults.afterWrites;
    object.kill();
  };
  await Promise.race([start(), object.death]);
  await host.settle();
  expect(object.kills).toBe(1);
  let hasFailed = false;
  host.faults.beforeWrite = (_, kind) => {
    if (kind !== "append" || hasFailed) return;
    hasFailed = true;
    throw new Error("the disk is full");
  };
  return { host, object, start, hasFailed: () => hasFailed };
}

describe("storage that fails while a request heals the execution", () => {
  it("takes the same start again for the same", async () => {
    const { start, hasFailed } = await storageFailsAtTouch();
    expect(await start()).toMatchObject({ kind: "started", created: false });
    expect(hasFailed()).toBe(true);
  });

  it("does not hide what is stored from any other request", async () => {
    const kinds: string[] = [];
    for (const ask of [
      (service: ExecutionService) => service.journal({ from: 0, limit: 1 }),
      (service: ExecutionService) => service.cut({}),
      (service: ExecutionService) => service.signal({ name: "s", value: "[1]", waitMs: 0 }),
    ]) {
      const { object, hasFailed } = await storageFailsAtTouch();
      const { kind } = await ask(object.service);
      kinds.push(`${kind}, failed: ${hasFailed()}`);
    }
    expect(kinds).toEqual(["page, failed: true", "cut, failed: true", "accepted, failed: true"]);
  });
});
