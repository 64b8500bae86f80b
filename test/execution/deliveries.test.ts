import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/execution/deployment.ts";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import type { NumberedFact } from "../support/host.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import type { Call, Fate } from "../../src/testing/memory-network.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2100, 0, 1);
const signals = { go: staticSchema<string>() };

const hits: string[] = [];
const part = defineWorkflow({ name: "part", input: staticSchema<string>(), signals }, async (context) => {
  const { input, step, awaitSignal } = context;
  await step.run("hit", () => void hits.push(input));
  return (await awaitSignal("go")).value;
});
const alone = defineWorkflow({ name: "alone", signals }, async ({ awaitSignal }) => (await awaitSignal("go")).value);

function failuresOf(facts: readonly NumberedFact[]) {
  return facts.flatMap((fact) => (fact.type === "delivery-failed" ? [fact] : []));
}

async function typesOf(probe: MemoryProbe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

describe("messages that are lost, repeated or late", () => {
  /** Starts one child, awaits another execution, signals both, cancels a third, and is told of everything. */
  const whole = defineWorkflow({ name: "whole" }, async (context) => {
    const { startExecution, awaitExecution, signalExecution, cancelExecution, runExecution } = context;
    const child = await startExecution(part, "child");
    const other = executionRef(alone, "other");
    const left = await startExecution(part, "left", { id: "left" });
    const outcomes = Promise.all([awaitExecution(child), awaitExecution(other)]);
    await signalExecution(other, "go", "one");
    await signalExecution(child, "go", "two");
    const third = await startExecution(alone, undefined, { id: "third" });
    await cancelExecution(third, "no need");
    const nobody = await runExecution("nobody").catch((error: Error) => error.message);
    return [await outcomes, await awaitExecution(third), nobody, left.id];
  });
  const expected = {
    kind: "completed",
    value: [
      [
        { kind: "completed", value: "two" },
        { kind: "completed", value: "one" },
      ],
      { kind: "cancelled" },
      expect.stringContaining("no workflow of this name"),
      "left",
    ],
  };

  async function run(fate: (call: Call) => Fate) {
    hits.length = 0;
    const host = new MemoryHost({ workflows: [whole, part, alone], now: START });
    host.network.fate = fate;
    const other = await host.start(alone, { id: "other" });
    const probe = await host.start(whole);
    await host.runToEnd();
    return { host, other, probe };
  }

  it.each(["lost", "unanswered", "repeated", "late"] as const)(
    "change nothing of what its code sees nor of what is done, whichever of them is %s",
    async (fate) => {
      const undisturbed = await run(() => "delivered");
      const calls = undisturbed.host.network.calls;
      expect(calls).toBeGreaterThan(10);
      for (let n = 1; n <= calls; n += 1) {
        const { host, other, probe } = await run(({ number }) => (number === n ? fate : "delivered"));
        expect(await probe.outcome(), `call ${n} is ${fate}`).toEqual(expected);
        expect(hits.toSorted(), `call ${n} is ${fate}`).toEqual(["child", "left"]);
        expect(await host.get(part, "left").outcome()).toEqual({ kind: "cancelled" });
        expect((await other.facts()).filter(({ type }) => type === "signal-received")).toHaveLength(1);
        // Nobody waits for anything but the purge.
        for (const { alarm } of [...host.objects.values()].filter(({ rows }) => rows.length > 0)) {
          expect(alarm).toBeGreaterThan(host.now() + 6 * DAY);
        }
        expect(host.now() - START).toBeLessThan(3 * MINUTE);
      }
    },
  );

  it("change nothing where half of all are lost on one of their ways", async () => {
    let draw = 7;
    for (let round = 0; round < 20; round += 1) {
      const { probe } = await run(() => {
        draw = (draw * 48_271) % 2_147_483_647;
        return (["lost", "unanswered", "delivered", "repeated", "delivered"] as const)[draw % 5] ?? "delivered";
      });
      expect(await probe.outcome()).toEqual(expected);
      expect(hits.toSorted()).toEqual(["child", "left"]);
    }
  });

  it("delay an end whose telling is lost until it is asked for", async () => {
    const waits = defineWorkflow({ name: "waits" }, async ({ awaitExecution }) => {
      return (await awaitExecution(executionRef(alone, "a"))).kind;
    });
    const host = new MemoryHost({ workflows: [waits, alone], now: START });
    const other = await host.start(alone, { id: "a" });
    const probe = await host.start(waits);
    host.network.fate = ({ method }) => (method === "told" ? "lost" : "delivered");
    await host.advance(3 * MINUTE);
    await other.signal("go", "done");
    expect(await probe.outcome()).toBeUndefined();
    await host.advance(4 * MINUTE);
    // Asked after 1, 3 and 7 minutes.
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
    const asked = (await probe.facts()).filter(({ type }) => type === "child-watched");
    expect(asked.map(({ at }) => at - START)).toEqual([MINUTE, 3 * MINUTE]);
    expect((await probe.facts()).at(-1)?.at).toBe(START + 7 * MINUTE);
  });
});

describe("an execution that cannot be reached", () => {
  const whole = defineWorkflow({ name: "whole", signals }, async ({ startExecution, awaitSignal }) => {
    await startExecution(part, "child", { id: "p" });
    return (await awaitSignal("go")).value;
  });

  it("S55 is tried again for a quarter of an hour, and then pauses the one that needs it, until its resume", async () => {
    hits.length = 0;
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    host.network.fate = () => "lost";
    const probe = await host.start(whole);
    expect((await probe.view()).waitingFor).toEqual([
      {
        kind: "delivery",
        name: "start of part/p",
        until: START + SECOND,
        because: "backoff after failed delivery 1 of 20",
      },
    ]);
    expect((await probe.view()).state).toBe("waiting");
    await probe.evict();
    await host.advance(20 * MINUTE);
    const failures = failuresOf(await probe.facts());
    const gaps = failures.map(({ at, retryAt }) => (retryAt - at) / SECOND);
    expect(gaps).toEqual([1, 2, 4, 8, 16, 32, ...Array.from({ length: 13 }, () => 60), 3_600]);
    expect(failures.map(({ attempt }) => attempt)).toEqual(gaps.map((_, index) => index + 1));
    const { state, reason } = await probe.view();
    expect([state, reason?.code]).toEqual(["paused", "EXECUTION_UNREACHABLE"]);
    expect(reason?.message).toContain(
      "part/p could not be reached 20 times in a row (Error: Network connection lost.)",
    );
    expect(await probe.alarm()).toBeUndefined();
    await host.advance(DAY);
    expect(failuresOf(await probe.facts())).toHaveLength(LIMITS.deliveryAttempts);
    await probe.command("resume");
    expect(failuresOf(await probe.facts()).at(-1)).toMatchObject({ attempt: 1 });
    host.network.fate = () => "delivered";
    await host.advance(SECOND);
    await probe.signal("go", "done");
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
    expect(hits).toEqual(["child"]);
  });

  it("S55 an outage that is shorter is waited out, in a step's way beside it", async () => {
    const beside = defineWorkflow({ name: "beside" }, async ({ runExecution, step }) => {
      const [value] = await Promise.all([runExecution(alone, undefined, { id: "a" }), step.run("own", () => 1)]);
      return value;
    });
    const host = new MemoryHost({ workflows: [beside, alone], now: START });
    host.network.fate = () => (host.now() < START + 10 * MINUTE ? "lost" : "delivered");
    const probe = await host.start(beside);
    await host.advance(11 * MINUTE);
    expect((await probe.view()).steps.completed).toBe(1);
    await host.get(alone, "a").signal("go", "there");
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "there" });
  });

  it("is told for ever after the end, holds up the purge, and refuses a deletion", async () => {
    const waits = defineWorkflow({ name: "waits" }, async ({ awaitExecution }) => {
      return (await awaitExecution(executionRef(alone, "a"))).kind;
    });
    const host = new MemoryHost({ workflows: [waits, alone], now: START });
    const child = await host.start(alone, { id: "a" });
    const probe = await host.start(waits, { id: "w" });
    host.network.fate = () => "lost";
    await child.signal("go", "done");
    await host.advance(8 * DAY);
    expect((await child.view()).waitingFor).toEqual([
      expect.objectContaining({ kind: "delivery", name: "outcome to waits/w" }),
    ]);
    const failures = failuresOf(await child.facts()).length;
    expect(failures).toBeGreaterThan(8 * 24);
    expect(failures).toBeLessThan(8 * 24 + LIMITS.deliveryAttempts);
    expect((await child.view()).state).toBe("completed");
    const facts = await child.facts();
    expect(await child.purge()).toBe("EXECUTION_UNREACHABLE");
    expect((await child.facts()).slice(0, facts.length)).toEqual(facts);
    // The one that asked could not be reached either, and is paused by now.
    expect((await probe.view()).reason?.code).toBe("EXECUTION_UNREACHABLE");
    host.network.fate = () => "delivered";
    expect(await child.purge()).toBe("purged");
    await probe.command("resume");
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
    expect(child.object.isEmpty).toBe(true);
  });

  it("is purged as soon as everybody knows of its end, where the retention is over by then", async () => {
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    const probe = await host.start(whole);
    host.network.fate = ({ to }) => (to === "whole/e-1" ? "lost" : "delivered");
    await host.get(part, "p").signal("go", "done");
    await host.advance(10 * DAY);
    expect(host.objectOf({ workflow: "part", id: "p" }).isEmpty).toBe(false);
    host.network.fate = () => "delivered";
    await host.advance(60 * MINUTE);
    expect(host.objectOf({ workflow: "part", id: "p" }).isEmpty).toBe(true);
    expect((await probe.view()).state).toBe("waiting");
  });

  it("is one on another deployment too, which is no refusal", async () => {
    const host = new MemoryHost({ workflows: [whole, part], now: START });
    const object = host.objectOf({ workflow: "part", id: "p" });
    object.deploy(createDeployment({ workflows: [alone] }));
    const probe = await host.start(whole);
    expect(failuresOf(await probe.facts())).toMatchObject([
      { failure: { message: expect.stringContaining("does not have it yet") } },
    ]);
    object.deploy(createDeployment({ workflows: [whole, part] }));
    await host.advance(SECOND);
    expect((await typesOf(probe)).slice(2)).toEqual(["delivery-failed", "child-started", "signal-awaited"]);
  });
});
