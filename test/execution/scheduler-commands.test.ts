import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { createDeployment } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { deploymentOf, EVERY_MINUTE, MINUTE_MS, NOON, ScheduledHost, SECOND_MS, slow } from "../support/scheduled.ts";

const { named } = ScheduledHost;
const SLOW = { ...EVERY_MINUTE, workflow: "slow" } as const;

describe("a deploy", () => {
  it("changes times, and starts none of those before", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    await host.advance(MINUTE_MS);
    await host.deploy({ ...EVERY_MINUTE, cron: "*/10 * * * *" });
    await host.advance(20 * MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", [1, 10, 20]));
  });

  it("that nobody comes by after is seen within an hour", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "0 0 1 1 *" });
    const hourly = { ...EVERY_MINUTE, name: "hourly", cron: "30 * * * *" };
    host.scheduler.deploy(deploymentOf(hourly));
    await host.advance(3 * 60 * MINUTE_MS);
    expect(host.started).toEqual(named("quick", "hourly", [90, 150]));
  });

  it("takes a schedule away, whose executions go on, and the object with the last state", async () => {
    const host = await ScheduledHost.of({ ...SLOW, overlap: "allow" });
    await host.advance(MINUTE_MS);
    await host.deploy();
    await host.advance(5 * MINUTE_MS);
    const [first = ""] = host.started;
    expect([host.started.length, await host.stateOf(first)]).toEqual([1, "waiting"]);
    expect(await host.list()).toEqual([]);
    await host.advance(LIMITS.removedScheduleMs + LIMITS.schedulerLookMs);
    expect([host.scheduler.states.size, host.scheduler.alarm]).toEqual([0, undefined]);
  });

  it("that takes the workflow of a pending start away refuses that start", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "1 12 * * *" });
    host.fate = () => "lost";
    await host.advance(MINUTE_MS);
    host.fate = undefined;
    const schedules = [{ ...EVERY_MINUTE, cron: "1 12 * * *", workflow: "slow" }];
    host.scheduler.deploy(createDeployment({ workflows: [slow], schedules }));
    await host.begin();
    await host.advance(MINUTE_MS);
    expect((await host.list())[0]).toMatchObject({ pending: [], lastRefused: { code: "NOT_FOUND" } });
    expect(host.started).toEqual([]);
  });
});

describe("commands", () => {
  it("pause starts nothing until resume, which makes up for nothing", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, catchUp: "all" });
    const { service } = host.scheduler;
    const paused = await host.asked(service.command({ name: "minutely", command: "pause" }));
    expect(paused).toMatchObject({ changed: true, view: { pausedAt: NOON + 1, nextTimes: [] } });
    expect(await host.asked(service.command({ name: "minutely", command: "pause" }))).toMatchObject({ changed: false });
    await host.advance(5 * MINUTE_MS);
    host.scheduler.evict();
    expect(host.started).toEqual([]);
    const resumed = await host.asked(host.scheduler.service.command({ name: "minutely", command: "resume" }));
    expect(resumed).toMatchObject({ changed: true, view: { nextTimes: [6, 7, 8].map((at) => NOON + at * MINUTE_MS) } });
    await host.advance(2 * MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", [6, 7]));
  });

  it("trigger starts now, in a pause too, and once for an id", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    const { service } = host.scheduler;
    await host.asked(service.command({ name: "minutely", command: "pause" }));
    const both = await host.asked(Promise.all([1, 2].map(() => service.trigger({ name: "minutely", id: "by-hand" }))));
    expect(both).toEqual([1, 2].map(() => ({ kind: "started", created: true })));
    const again = await host.asked(service.trigger({ name: "minutely", id: "by-hand" }));
    expect(again).toEqual({ kind: "started", created: false });
    expect(host.started).toEqual(["quick/by-hand"]);
    expect((await host.list())[0]?.last).toMatchObject({ id: "by-hand", by: "trigger", ended: "completed" });
  });

  it("trigger keeps to the overlap, but finds its own execution", async () => {
    const host = await ScheduledHost.of(SLOW);
    const { service } = host.scheduler;
    expect(await host.asked(service.trigger({ name: "minutely", id: "a" }))).toMatchObject({ created: true });
    expect(await host.asked(service.trigger({ name: "minutely", id: "b" }))).toEqual({ kind: "skipped", running: "a" });
    expect(await host.asked(service.trigger({ name: "minutely", id: "a" }))).toMatchObject({ created: false });
  });

  it("trigger that gets no answer is kept, and started later", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    host.fate = () => "lost";
    const pending = await host.asked(host.scheduler.service.trigger({ name: "minutely", id: "a" }));
    expect(pending).toEqual({ kind: "pending" });
    host.fate = undefined;
    await host.advance(5 * SECOND_MS);
    expect(host.started).toEqual(["quick/a"]);
  });

  it("trigger that hangs says so in time", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    host.fate = () => "late";
    const answer = host.scheduler.service.trigger({ name: "minutely", id: "a" });
    await host.advance(LIMITS.triggerWaitMs);
    expect(await answer).toEqual({ kind: "pending" });
  });

  it("trigger with an input that is refused says why", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    const validate = async () => ({ issues: [{ message: "no such day" }] });
    const input = { "~standard": { version: 1 as const, vendor: "test", validate } };
    const workflow = defineWorkflow({ name: "quick", input }, async () => 1);
    host.scheduler.deploy(createDeployment({ workflows: [workflow], schedules: [{ ...EVERY_MINUTE, workflow }] }));
    const answer = await host.asked(host.scheduler.service.trigger({ name: "minutely", id: "a" }));
    expect(answer).toMatchObject({
      kind: "invalid",
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("no such day"),
    });
    expect(host.started).toEqual([]);
  });

  it("of a schedule that is not there are answered so", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    const { service } = host.scheduler;
    expect(await host.asked(service.command({ name: "x", command: "pause" }))).toEqual({ kind: "absent" });
    expect(await host.asked(service.trigger({ name: "x", id: "a" }))).toEqual({ kind: "absent" });
  });
});

describe("the list of schedules", () => {
  it("asks each end once, and does not wait for executions that do not answer", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE, { ...SLOW, name: "open" });
    await host.advance(MINUTE_MS);
    expect((await host.list()).map(({ last }) => last?.ended)).toEqual(["completed", undefined]);
    const { calls } = host.objects.network;
    await host.list();
    expect(host.objects.network.calls).toBe(calls + 1);
    host.fate = () => "late";
    const listed = host.scheduler.service.list();
    await host.advance(LIMITS.scheduleListMs);
    expect((await listed).map(({ last }) => last?.ended)).toEqual(["completed", undefined]);
  });
});
