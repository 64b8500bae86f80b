import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { ObjectHost } from "../support/object-host.ts";
import { plainObject, startRequest } from "../support/plain-object.ts";

const HOUR_MS = 3_600_000;
const signals = { go: staticSchema<string>() };

/** A workflow that sleeps an hour between two steps, and what ran of it. */
function hourly() {
  const hits: string[] = [];
  const workflow = defineWorkflow({ name: "hourly", signals }, async ({ step, sleep }) => {
    await step.run("before", () => void hits.push("before"));
    await sleep("1h");
    await step.run("after", () => void hits.push("after"));
  });
  return { workflow, hits };
}

describe("the alarm's handler", () => {
  it("changes nothing when it is called too early, twice, or twice at once", async () => {
    const { workflow, hits } = hourly();
    const host = new ObjectHost({ workflows: [workflow] });
    const due = host.now() + HOUR_MS;
    const probe = await host.start(workflow);
    const before = await probe.facts();
    await probe.ring();
    await probe.ring();
    await probe.object.inside((execution) => Promise.all([execution.alarm(), execution.alarm()]));
    await host.settle();
    expect(await probe.facts()).toEqual(before);
    expect(await probe.alarm()).toBe(due);
    // To a new object the lease has rung, and it looks for work; there is none.
    await probe.evict();
    await probe.ring();
    expect(await probe.alarm()).toBe(due);
    expect((await probe.view()).state).toBe("waiting");
    expect(hits).toEqual(["before"]);
  });

  it("does what is due once when it is called late, and again", async () => {
    const { workflow, hits } = hourly();
    const host = new ObjectHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.spoilAlarm(host.now() + 5 * HOUR_MS);
    await host.advance(5 * HOUR_MS);
    await probe.ring();
    expect(hits).toEqual(["before", "after"]);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
  });

  it("finds the platform's own alarm at the next wake, after any touch that found it deleted or moved", async () => {
    const { workflow } = hourly();
    const stub = plainObject(workflow);
    await stub.start(startRequest(workflow));
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    const due = await alarmAtRest(alarm);
    const spoils = [
      (storage: DurableObjectStorage) => storage.deleteAlarm(),
      (storage: DurableObjectStorage) => storage.setAlarm(due + HOUR_MS),
    ];
    for (const spoil of spoils) {
      for (const isEvicted of [false, true]) {
        await runInDurableObject(stub, (_, { storage }) => spoil(storage));
        if (isEvicted) await evictDurableObject(stub);
        await stub.view();
        await scheduler.wait(50);
        expect(await alarm()).toBe(due);
      }
    }
  });

  it("does not throw where the journal cannot be read, and tries again later", async () => {
    const { workflow, hits } = hourly();
    const stub = plainObject(workflow);
    await stub.start(startRequest(workflow));
    await alarmAtRest(() => runInDurableObject(stub, (_, { storage }) => storage.getAlarm()));
    await runInDurableObject(
      stub,
      (_, { storage }) => void storage.sql.exec("UPDATE journal SET entries = 'spoiled' WHERE seq > 0"),
    );
    await evictDurableObject(stub);
    const before = Date.now();
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    const again = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(again).toBeGreaterThan(before);
    expect(again).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(hits).toEqual(["before"]);
  });

  it("does not throw where storage fails in the middle of the work, and goes on once storage works again", async () => {
    const { workflow, hits } = hourly();
    const host = new ObjectHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    let failures = 0;
    let thrown = 0;
    await probe.object.inside((_, { storage: { sql } }) => {
      const exec = sql.exec.bind(sql);
      sql.exec = <T extends Record<string, SqlStorageValue>>(query: string, ...bindings: unknown[]) => {
        if (failures < 3 && query.startsWith("INSERT")) {
          failures += 1;
          throw new Error("disk I/O error: SQLITE_IOERR");
        }
        return exec<T>(query, ...bindings);
      };
    });
    await host.advance(HOUR_MS - 1);
    await probe.object.inside(async (execution, { storage }) => {
      await storage.deleteAlarm();
      probe.object.clock.moveTo(host.now() + 1);
      await execution.alarm().catch(() => void (thrown += 1));
    });
    await host.runToEnd();
    expect({ failures, thrown }).toEqual({ failures: 3, thrown: 0 });
    expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
    expect(hits.filter((hit) => hit === "before")).toHaveLength(1);
  });

  it("leaves no alarm in the past behind when it has rung for the very time that it sets", async () => {
    const ticks = defineWorkflow({ name: "ticks" }, async ({ sleep }) => {
      for (let i = 0; i < 20; i += 1) await sleep(1);
    });
    const stub = plainObject(ticks);
    await stub.start(startRequest(ticks));
    expect(await stub.result(10_000)).toMatchObject({ kind: "found", view: { state: "completed" } });
    const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now() + HOUR_MS);
  });
});

/** The alarm of an execution that has come to rest, when it stands an hour ahead and not at the lease. */
async function alarmAtRest(alarm: () => Promise<number | null>): Promise<number> {
  for (;;) {
    const at = await alarm();
    if (at !== null && at > Date.now() + HOUR_MS / 2) return at;
    await scheduler.wait(10);
  }
}
