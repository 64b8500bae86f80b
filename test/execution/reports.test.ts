import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

import { hostWith, listener, nap, quick, workflows } from "../support/listed-workflows.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("what the directory is told", () => {
  it("is the start and the end of an execution that never waits", async () => {
    const { host, directory } = hostWith();
    const probe = await host.start(quick, { id: "q" });
    expect(directory.statesOf("quick/q")).toEqual(["running", "completed"]);
    expect(directory.get("quick/q")).toMatchObject({ state: "completed", startedAt: 0, createdAt: 0, endedAt: 0 });
    expect((await probe.facts()).map(({ type }) => type)).toEqual([
      "started",
      "attempt-started",
      "step-completed",
      "completed",
    ]);
    expect(await probe.alarm()).toBe(7 * DAY_MS);
  });

  it("is that it waits, as soon as it rests, and again nothing for a wake that is over at once", async () => {
    const { host, directory } = hostWith();
    const probe = await host.start(listener, { id: "l" });
    expect(directory.statesOf("listener/l")).toEqual(["waiting"]);
    await host.advance(MINUTE_MS);
    await host.start(nap, { id: "n" });
    expect(directory.statesOf("nap/n")).toEqual(["running", "waiting"]);
    await probe.signal("go", 1);
    await host.advance(MINUTE_MS);
    expect(directory.get("listener/l")).toMatchObject({ state: "waiting", attributes: { heard: 1 } });
    expect(directory.statesOf("listener/l")).toEqual(["waiting", "waiting"]);
  });

  it("is a pause with its code, the resume and the end with its code", async () => {
    const { host, directory } = hostWith();
    const probe = await host.start(listener, { id: "l" });
    await probe.command("pause");
    expect(directory.get("listener/l")).toMatchObject({ state: "paused", code: "PAUSED" });
    await probe.command("resume");
    expect(directory.get("listener/l")).toMatchObject({ state: "waiting" });
    expect(directory.get("listener/l")).not.toHaveProperty("code");
    await probe.signal("go", -1);
    expect(directory.get("listener/l")).toMatchObject({ state: "failed", code: "NEGATIVE" });
  });

  it("is at most once in ten seconds whether it runs or waits, and then what is true", async () => {
    const { host, directory } = hostWith();
    const probe = await host.start(listener, { id: "l" });
    for (let i = 0; i < 20; i += 1) {
      await probe.signal("go", 1);
      await host.advance(SECOND_MS);
    }
    await host.advance(MINUTE_MS);
    expect(directory.statesOf("listener/l").length).toBeLessThanOrEqual(4);
    expect(directory.get("listener/l")?.attributes).toEqual({ heard: 20 });
  });

  it("is that it runs, when it has run for ten seconds", async () => {
    const slow = defineWorkflow({ name: "slow" }, async ({ sleep, step }) => {
      await sleep("1h");
      await step.run("long", () => host.delay(30 * SECOND_MS));
      await sleep("1h");
    });
    const { host, directory } = hostWith(undefined, { workflows: [slow] });
    await host.start(slow, { id: "s" });
    await host.advance(HOUR_MS + 9 * SECOND_MS);
    expect(directory.get("slow/s")?.state).toBe("waiting");
    await host.advance(2 * SECOND_MS);
    expect(directory.get("slow/s")?.state).toBe("running");
    await host.advance(MINUTE_MS);
    expect(directory.get("slow/s")?.state).toBe("waiting");
  });

  it("costs an execution that never waits no row of its own, nor an alarm", async () => {
    const { host, directory } = hostWith();
    const without = new MemoryHost({ workflows });
    const probe = await without.start(quick, { id: "q" });
    expect((await probe.facts()).some(({ type }) => type === "reported")).toBe(false);
    const told = await host.start(quick, { id: "q" });
    expect(told.object.rowsWritten).toBe(probe.object.rowsWritten);
    expect(told.object.alarmsSet).toBe(probe.object.alarmsSet);
    expect(directory.told).toHaveLength(2);
  });

  it("costs one that is paused and resumed none either", async () => {
    const both = [hostWith().host, new MemoryHost({ workflows })];
    const [told, untold] = await Promise.all(
      both.map(async (host) => {
        const { object, ...probe } = await host.start(nap, { id: "n" });
        void probe;
        const before = { rows: object.rowsWritten, alarms: object.alarmsSet };
        await host.get(nap, "n").command("pause");
        const paused = { rows: object.rowsWritten, alarms: object.alarmsSet };
        await host.get(nap, "n").command("resume");
        return [
          paused.rows - before.rows + paused.alarms - before.alarms,
          object.rowsWritten - paused.rows + object.alarmsSet - paused.alarms,
        ];
      }),
    );
    expect(told).toEqual(untold);
  });
});

describe("a fork to an id whose retention is over", () => {
  it("takes its place, although the directory still has to hear of the other one", async () => {
    let isSlow = false;
    const { host, directory } = hostWith(() => (isSlow ? "silent" : "delivered"));
    await host.start(quick, { id: "old" });
    await host.advance(7 * DAY_MS - HOUR_MS);
    const original = await host.start(quick, { id: "new" });
    isSlow = true;
    await host.advance(HOUR_MS);
    const fork = await original.fork({ id: "old", before: 1 });
    await host.advance(MINUTE_MS);
    isSlow = false;
    await host.advance(2 * HOUR_MS);
    expect(typeof fork).toBe("object");
    expect((await host.get(quick, "old").view()).forkedFrom).toMatchObject({ id: "new" });
    expect(directory.get("quick/old")).toMatchObject({ state: "completed", createdAt: 7 * DAY_MS });
  });
});

describe("a directory that lost what it knew", () => {
  it("is told again at the next touch of each execution, at no row of theirs", async () => {
    const { host, directory } = hostWith();
    const sleeping = await host.start(nap, { id: "n" });
    const ended = await host.start(quick, { id: "q" });
    directory.reports.clear();
    const before = sleeping.object.rowsWritten + ended.object.rowsWritten;
    for (const probe of [sleeping, ended]) {
      await probe.evict();
      await probe.view();
    }
    expect([...directory.reports.values()].map(({ state }) => state)).toEqual(["waiting", "completed"]);
    expect(sleeping.object.rowsWritten + ended.object.rowsWritten).toBe(before);
  });
});

describe("an alarm that was lost", () => {
  it.each([quick, nap])("is restored by the touch that finds a report to be told, of $name", async (workflow) => {
    let isSilent = false;
    const { host } = hostWith(() => (isSilent ? "silent" : "delivered"));
    const probe = await host.start(workflow, { id: "x" });
    const before = await probe.alarm();
    isSilent = true;
    await probe.evict();
    await probe.spoilAlarm(undefined);
    await probe.object.service.view();
    await host.settle();
    expect(await probe.alarm()).toBe(before);
  });
});

describe("calls that fare badly", () => {
  const fates = ["lost", "unanswered", "repeated", "late", "silent"] as const;

  it.each(fates)("leave the directory right in the end, where each of the first is %s", async (fate) => {
    for (let bad = 1; bad <= 5; bad += 1) {
      const { host, directory } = hostWith((call) => (call === bad ? fate : "delivered"));
      const probe = await host.start(listener, { id: "l" });
      await host.advance(3 * HOUR_MS);
      await probe.command("pause");
      await host.advance(3 * HOUR_MS);
      await probe.command("resume");
      await host.advance(3 * HOUR_MS);
      await probe.signal("go", 0);
      await host.advance(3 * HOUR_MS);
      expect(directory.get("listener/l"), `${fate} ${bad}`).toMatchObject({ state: "completed" });
      expect(await probe.alarm()).toBe(9 * HOUR_MS + 7 * DAY_MS);
    }
  });
});

describe("an object that dies", () => {
  it.each(["evict", "kill"] as const)(
    "at any of its storage operations has told its start and its end (%s)",
    async (how) => {
      for (let fatal = 1; ; fatal += 1) {
        const { host, directory } = hostWith();
        let died = false;
        host.faults.beforeWrite = (operation, _, object) => {
          if (operation !== fatal) return;
          died = true;
          object[how]();
        };
        await host.start(nap, { id: "n" }).catch(() => {});
        await host.advance(MINUTE_MS);
        const exists = (await host.get(nap, "n").object.service.view()).kind === "found";
        await host.advance(HOUR_MS);
        expect(directory.get("nap/n")?.state, `${fatal}`).toBe(exists ? "waiting" : undefined);
        await host.advance(40 * DAY_MS);
        expect(directory.get("nap/n"), `${fatal}`).toBeUndefined();
        expect(directory.statesOf("nap/n").includes("completed"), `${fatal}`).toBe(exists);
        if (!died) return;
      }
    },
  );
});
