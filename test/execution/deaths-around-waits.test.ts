import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { every, Hits } from "../support/hits.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";

const SECOND = 1_000;
const START = Date.UTC(2100, 0, 1);
const SIGNALS = { go: staticSchema<number>() };

/** The object that is there now. */
function onlyObject(host: MemoryHost): MemoryObject {
  const [object] = host.objects.values();
  if (object === undefined) throw new Error("No execution was started.");
  return object;
}

/** The platform rings again where the object died while it was told of an alarm. */
function die(host: MemoryHost, object: MemoryObject, how: "kill" | "evict"): void {
  const { isRinging } = object;
  object[how]();
  if (isRinging && object.alarm === undefined) object.spoilAlarm(host.now() + 2 * SECOND);
}

async function typesOf(probe: MemoryProbe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

describe("an object that dies around a wait", () => {
  /** Lets the object die at the n-th storage operation from now. */
  function dieAt(host: MemoryHost, n: number, how: "kill" | "evict"): void {
    const object = onlyObject(host);
    const from = object.operations;
    host.faults.beforeWrite = (operation) => {
      if (operation - from !== n) return;
      delete host.faults.beforeWrite;
      die(host, object, how);
    };
  }

  const signalled = defineWorkflow({ name: "signalled", signals: SIGNALS }, async ({ step, awaitSignal }) => {
    const first = await awaitSignal("go");
    const stepped = await step.run("x", () => first.value);
    const second = await awaitSignal("go");
    return [stepped, second.value];
  });

  it("case 131: delivers a signal that was stored and not acted on, without another request", async () => {
    const host = new MemoryHost({ workflows: [signalled], now: START });
    const probe = await host.start(signalled);
    expect(await probe.alarm()).toBeUndefined();
    // The third: the alarm and the row are written, and the turn ends.
    dieAt(host, 3, "evict");
    void probe.object.service.signal({ name: "go", value: "[5]", waitMs: 0 }).catch(() => {});
    await host.settle();
    expect(onlyObject(host).rows.at(-1)?.entries).toContain("signal-received");
    expect(onlyObject(host).alarm).toBe(START + LIMITS.leaseFirstMs);
    await host.runToEnd();
    expect((await probe.facts()).filter(({ type }) => type === "signal-taken")).toHaveLength(1);
    expect((await probe.view()).waitingFor).toMatchObject([{ kind: "signal", name: "go#2" }]);
  });

  it.each(["kill", "evict"] as const)(
    "case 131 case 132: takes the same signals in the same order wherever it dies: %s",
    async (how) => {
      let places = 0;
      for (let n = 1; ; n += 1) {
        const host = new MemoryHost({ workflows: [signalled], now: START });
        const probe = await host.start(signalled);
        dieAt(host, n, how);
        for (const value of [1, 2]) {
          // What is not answered is sent again, with the same key.
          for (const _ of ["first", "again"]) {
            await Promise.race([probe.signal("go", value, `key ${value}`), probe.object.death]);
            await host.settle();
          }
        }
        await host.runToEnd();
        expect(await probe.outcome(), `dies at operation ${n}`).toEqual({ kind: "completed", value: [1, 2] });
        if (host.faults.beforeWrite !== undefined) break;
        places = n;
      }
      expect(places).toBeGreaterThan(8);
    },
  );

  it.each(["kill", "evict"] as const)(
    "case 57: still sleeps its time wherever it dies between journaled and parked: %s",
    async (how) => {
      const flow = defineWorkflow({ name: "sleeps", signals: SIGNALS }, async ({ awaitSignal, sleep }) => {
        await awaitSignal("go");
        await sleep("60s");
        hits.add("slept");
      });
      const host = new MemoryHost({ workflows: [flow], now: START });
      const hits = new Hits(host);
      let places = 0;
      for (let n = 1; ; n += 1) {
        const probe = await host.start(flow, { id: `n-${n}` });
        const object = host.object(flow, `n-${n}`);
        const from = object.operations;
        host.faults.beforeWrite = (operation) => {
          if (operation - from !== n || object !== host.object(flow, `n-${n}`)) return;
          delete host.faults.beforeWrite;
          die(host, object, how);
        };
        const before = hits.now;
        for (const _ of ["first", "again"]) {
          await Promise.race([probe.signal("go", 1, "key"), object.death]);
          await host.settle();
          if (object.alarm !== undefined) await probe.ring();
        }
        await host.runToEnd();
        expect(await probe.outcome(), `dies at operation ${n}`).toEqual({ kind: "completed", value: undefined });
        const slept = (hits.at("slept").at(-1) ?? 0) - before;
        expect(slept, `dies at operation ${n}`).toBeGreaterThanOrEqual(60 * SECOND);
        expect(slept, `dies at operation ${n}`).toBeLessThanOrEqual(62 * SECOND);
        if (host.faults.beforeWrite !== undefined) break;
        places = n;
      }
      expect(places).toBeGreaterThan(5);
    },
  );

  it("case 63: a timer that elapsed while the object was unreachable settles once, at the first wake", async () => {
    const flow = defineWorkflow({ name: "down" }, async ({ sleep, step }) => {
      await sleep("10s");
      return await step.run("x", hits.ok("x"));
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const hits = new Hits(host);
    const probe = await host.start(flow);
    await host.advance(5 * SECOND);
    await probe.evict();
    // Nothing rings meanwhile.
    host.clock.moveTo(START + 30 * SECOND);
    await host.advance(0);
    expect(hits.at("x")).toEqual([30 * SECOND]);
    expect(await typesOf(probe)).toEqual([
      "started",
      "timer-set",
      "timer-fired",
      "attempt-started",
      "step-completed",
      "completed",
    ]);
  });

  it("case 22: of a thousand executions with four retrying steps each, none drops a retry over random deaths", async () => {
    const flow = defineWorkflow({ name: "thousand" }, async ({ step, random }) => {
      const steps = [0, 1, 2, 3].map((i) => {
        return step.run({ name: `s${i}`, retryPolicy: every(10 + Math.floor(random() * 490), 9) }, ({ attempt }) => {
          if (attempt <= 2) throw new Error("fails");
          return attempt;
        });
      });
      return await Promise.all(steps);
    });
    let draw = 1;
    for (let batch = 0; batch < 25; batch += 1) {
      const host = new MemoryHost({ workflows: [flow], now: START });
      const probes: MemoryProbe[] = [];
      for (let i = 0; i < 40; i += 1) probes.push(await host.start(flow));
      for (let passed = 0; passed < 1200; passed += 50) {
        await host.advance(50);
        for (const { object } of probes) {
          draw = (draw * 48_271) % 2_147_483_647;
          if (draw % 4 === 0) die(host, object, draw % 8 === 0 ? "kill" : "evict");
        }
      }
      await host.runToEnd();
      for (const probe of probes) expect((await probe.outcome())?.kind).toBe("completed");
    }
  });
});
