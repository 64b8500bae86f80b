import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { TurnEnds } from "../support/turn-ends.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<number>() };

async function typesOf(probe: MemoryProbe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

/** The types of all entries, those that are not written yet included. */
function typesIn({ service }: MemoryObject): readonly string[] {
  return service.entries().map(({ entry }) => entry.type);
}

/** A host whose requests come at the ends of turns. */
function interrupted(...workflows: readonly AnyWorkflow[]) {
  const ends = new TurnEnds();
  return { ends, host: new MemoryHost({ workflows, endTurn: ends.end }) };
}

/** The object that is there now, for code that lets it die. */
function onlyObject(host: MemoryHost): MemoryObject {
  const [object] = host.objects.values();
  if (object === undefined) throw new Error("No execution was started.");
  return object;
}

describe("a pause", () => {
  it("between the start of an attempt and its call holds it back, and charges it nothing when memory is lost", async () => {
    let hits = 0;
    const workflow = defineWorkflow({ name: "w" }, async ({ sleep, step }) => {
      await sleep("1s");
      return await step.run({ name: "a", retryPolicy: { maximumAttempts: 1 } }, () => (hits += 1));
    });
    const { ends, host } = interrupted(workflow);
    const probe = await host.start(workflow);
    const { object } = probe;
    ends.when(
      () => typesIn(object).includes("attempt-started"),
      () => object.service.command({ command: "pause" }),
    );
    await host.advance(SECOND_MS);
    expect(ends.hasCome).toBe(true);
    expect([(await probe.view()).state, isAtRest(object), hits]).toEqual(["paused", true, 0]);
    await probe.evict();
    await probe.view();
    await probe.command("resume");
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    expect(await typesOf(probe)).not.toContain("attempt-failed");
  });

  it("while the start of an attempt becomes durable after a death, holds its call back", async () => {
    const order: string[] = [];
    const workflow = defineWorkflow({ name: "w" }, async ({ sleep, step }) => {
      await sleep(10);
      await step.run("a", async ({ attempt }) => {
        order.push(`attempt ${attempt}`);
        if (attempt > 1) return;
        await host.delay(100);
        onlyObject(host).kill();
      });
    });
    const { ends, host } = interrupted(workflow);
    const probe = await host.start(workflow);
    const { object } = probe;
    ends.when(
      () => typesIn(object).filter((type) => type === "attempt-started").length === 2,
      async () => order.push((await object.service.command({ command: "pause" })).kind),
    );
    await host.advance(20 * SECOND_MS);
    expect(order).toEqual(["attempt 1", "done"]);
    await probe.command("resume");
    await host.runToEnd();
    expect(order).toEqual(["attempt 1", "done", "attempt 2"]);
    expect((await probe.outcome())?.kind).toBe("completed");
  });

  it("in the turn that calls the function holds every delivery back", async () => {
    const workflow = defineWorkflow({ name: "w", signals }, async ({ awaitSignal }) => {
      return (await awaitSignal("s", { timeout: "1s" })).received;
    });
    const { ends, host } = interrupted(workflow);
    const probe = await host.start(workflow);
    await probe.evict();
    const { object } = probe;
    const turns = object.operations;
    ends.when(
      () => object.operations > turns + 2,
      () => object.service.command({ command: "pause" }),
    );
    await host.advance(SECOND_MS);
    await host.settle();
    expect(ends.hasCome).toBe(true);
    expect(await typesOf(probe)).toEqual(["started", "signal-awaited", "paused"]);
    await probe.command("resume");
    expect(await probe.outcome()).toEqual({ kind: "completed", value: false });
  });
});

describe("the end of an execution", () => {
  it("is the end of its run: code that ends after the purge leaves storage empty, and the id can be used again", async () => {
    const first = Promise.withResolvers<undefined>();
    let calls = 0;
    const workflow = defineWorkflow({ name: "w" }, async ({ sleep }) => {
      calls += 1;
      if (calls === 1) await first.promise;
      else await sleep(10);
      return calls;
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow, { id: "x" });
    await probe.command("terminate");
    expect(await probe.object.service.purge()).toEqual({ kind: "purged" });
    first.resolve(undefined);
    await host.settle();
    expect(probe.object.rows).toEqual([]);
    expect(probe.object.isEmpty).toBe(true);
    const again = await host.start(workflow, { id: "x" });
    await host.runToEnd();
    expect(await again.outcome()).toEqual({ kind: "completed", value: 2 });
  });

  it("is the last entry when it comes in the turn that delivers a signal, which nobody takes", async () => {
    const workflow = defineWorkflow({ name: "w", signals }, async ({ awaitSignal, sleep }) => {
      // The wait that loses has a listener, and hands its signal back.
      await Promise.race([awaitSignal("s"), (async () => await sleep("1s"))()]);
      await sleep("5s");
    });
    const { ends, host } = interrupted(workflow);
    const probe = await host.start(workflow);
    await host.advance(SECOND_MS);
    const { object } = probe;
    ends.when(
      () => typesIn(object).includes("signal-taken"),
      () => object.service.command({ command: "terminate" }),
    );
    await probe.signal("s", 1);
    expect(ends.hasCome).toBe(true);
    expect((await typesOf(probe)).slice(-2)).toEqual(["abandoned", "cancelled"]);
  });

  it.each([
    ["a cancellation that is not told", true],
    ["no cancellation", false],
  ])("is the only one when it comes in the turn in which the code misses its journal, with %s", async (_, cancels) => {
    const before = defineWorkflow({ name: "w" }, async ({ step, sleep }) => {
      await step.run("a", () => 1);
      await sleep("1s");
    });
    const after = defineWorkflow({ name: "w" }, async ({ step }) => {
      calls += 1;
      await step.run("b", () => 1);
    });
    let calls = 0;
    const { ends, host } = interrupted(before);
    const probe = await host.start(before);
    await host.deploy({ workflows: [after] });
    await host.advance(SECOND_MS);
    expect((await probe.view()).reason?.code).toBe("JOURNAL_MISMATCH");
    const { object } = probe;
    ends.when(
      () => calls === 2,
      () => object.service.command({ command: "terminate" }),
    );
    await probe.command(cancels ? "cancel" : "resume");
    expect(ends.hasCome).toBe(true);
    const types = await typesOf(probe);
    expect(types.at(-1)).toBe("cancelled");
    expect(storedState(object).end).toMatchObject({ by: "terminated" });
    expect(types.filter((type) => type === "cancelled")).toHaveLength(1);
  });
});

describe("a cancellation", () => {
  it("ends an execution whose version is not deployed any more", async () => {
    const first = defineWorkflow({ name: "w", version: "1" }, async ({ sleep }) => await sleep("1s"));
    const second = defineWorkflow({ name: "w", version: "2" }, async ({ sleep }) => await sleep("1s"));
    const host = new MemoryHost({ workflows: [first] });
    const probe = await host.start(first);
    await host.deploy({ workflows: [second] });
    await host.advance(SECOND_MS);
    expect((await probe.view()).reason?.code).toBe("VERSION_NOT_DEPLOYED");
    expect(await probe.command("cancel")).toBe("done");
    expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    expect(await probe.alarm()).toBe(wantedAlarm(probe.object));
  });

  it("ends an execution whose object dies whenever its code runs", async () => {
    let isDeadly = false;
    const workflow = defineWorkflow({ name: "w" }, async ({ sleep }) => {
      if (isDeadly) onlyObject(host).kill();
      await sleep("1s");
      if (isDeadly) onlyObject(host).kill();
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.evict();
    isDeadly = true;
    await host.advance(100 * SECOND_MS);
    expect((await probe.view()).reason?.code).toBe("CRASH_LOOP");
    // No answer comes from an object that dies.
    void probe.command("cancel");
    await host.settle();
    await host.advance(1_000 * SECOND_MS);
    expect(await probe.outcome()).toEqual({ kind: "cancelled" });
  });

  it("that the code has not heard of when a pause comes, is told once it is asked for again", async () => {
    const workflow = defineWorkflow({ name: "w" }, async ({ sleep, step }) => {
      await sleep("1h").catch(async () => await step.run("undo", () => "undone"));
      return "compensated";
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    const { service } = probe.object;
    await Promise.all([service.command({ command: "cancel" }), service.command({ command: "pause" })]);
    await host.settle();
    expect((await probe.view()).state).toBe("paused");
    expect(await typesOf(probe)).not.toContain("cancel-delivered");
    expect(await service.command({ command: "cancel" })).toMatchObject({ kind: "done", changed: true });
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "compensated" });
  });
});
