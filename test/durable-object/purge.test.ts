import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Clock } from "../../src/execution/ports.ts";
import { REAL_CLOCK } from "../../src/durable-object/platform.ts";
import type { LiveObject } from "../support/live-object.ts";
import { ObjectHost } from "../support/object-host.ts";
import { plainObject, startRequest } from "../support/plain-object.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const signals = { go: staticSchema<string>() };

function tablesOf(_: unknown, { storage }: DurableObjectState): unknown[] {
  return storage.sql.exec("SELECT name FROM sqlite_master").toArray();
}

async function expectEmpty(object: LiveObject): Promise<void> {
  expect(await object.inside(tablesOf)).toEqual([]);
  expect(await object.alarm()).toBeUndefined();
}

describe("a purge", () => {
  const large = defineWorkflow({ name: "large", retention: "1h", signals }, async ({ step, awaitSignal }) => {
    await step.run("large", () => "x".repeat(100_000));
    await awaitSignal("go", { timeout: "2h" });
  });

  it("case 37: leaves storage empty and no alarm when the retention is over, and the object is never called again", async () => {
    const host = new ObjectHost({ workflows: [large] });
    const { object } = await host.start(large);
    await host.runToEnd();
    expect(await object.inside(tablesOf)).not.toEqual([]);
    expect(await object.alarm()).toBe(host.now() + HOUR_MS);
    const before = object.rings;
    await host.advance(HOUR_MS);
    expect(object.rings).toBe(before + 1);
    await expectEmpty(object);
    await object.evict();
    await host.advance(300 * DAY_MS);
    expect(object.rings).toBe(before + 1);
    expect((await object.inside((execution) => execution.view())).kind).toBe("absent");
    await expectEmpty(object);
  });

  it("case 37: is made by the platform's own alarm", async () => {
    let aheadMs = 200 - HOUR_MS;
    const clock: Clock = {
      now: () => Date.now() + aheadMs,
      timer: (at, callback) => REAL_CLOCK.timer(at - aheadMs, callback),
    };
    const short = defineWorkflow({ name: "short", retention: "1h" }, async () => "done");
    const stub = plainObject(short, clock);
    await stub.start(startRequest(short));
    expect(await stub.result(10_000)).toMatchObject({ kind: "found", view: { state: "completed" } });
    const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeLessThanOrEqual(Date.now() + 200);
    aheadMs = 0;
    await scheduler.wait(600);
    expect(await runInDurableObject(stub, tablesOf)).toEqual([]);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBeNull();
    await evictDurableObject(stub);
    expect((await stub.view()).kind).toBe("absent");
    expect(await stub.rowsWritten()).toBe(0);
  });

  it("case 38: that is asked for is refused while the execution sleeps, and after its end leaves no alarm", async () => {
    const host = new ObjectHost({ workflows: [large] });
    const probe = await host.start(large);
    const { object } = probe;
    const purge = async () => await object.inside((execution) => execution.purge());
    expect(await purge()).toMatchObject({ kind: "refused", code: "EXECUTION_NOT_ENDED" });
    expect(await probe.command("terminate")).toBe("done");
    expect(await object.alarm()).toBe(host.now() + HOUR_MS);
    expect(await purge()).toEqual({ kind: "purged" });
    await expectEmpty(object);
    const before = object.rings;
    await host.advance(DAY_MS);
    expect(object.rings).toBe(before);
    await expectEmpty(object);
    expect(await purge()).toEqual({ kind: "absent" });
  });
});
