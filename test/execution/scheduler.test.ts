import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { EVERY_MINUTE, MINUTE_MS, NOON, ScheduledHost, SECOND_MS } from "../support/scheduled.ts";

const { named } = ScheduledHost;
const SLOW = { ...EVERY_MINUTE, workflow: "slow" } as const;

describe("a schedule", () => {
  it("starts one execution at each of its times, under an id that says both", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    await host.advance(3 * MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", [1, 2, 3]));
    const { service } = host.objects.object("quick", "minutely.20260301T120200Z", () => expect.fail());
    const found = await host.asked(service.view());
    expect(found).toMatchObject({
      view: { state: "completed", attributes: { schedule: "minutely", scheduledAt: NOON + 2 * MINUTE_MS } },
    });
  });

  it("starts nothing twice for alarms that come early, late or again", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    await host.advance(MINUTE_MS);
    for (let again = 0; again < 3; again += 1) await host.asked(host.scheduler.ring());
    expect(host.started).toEqual(named("quick", "minutely", [1]));
    expect(host.objects.network.calls).toBe(1);
  });

  it("rests with its alarm at the next time, and writes nothing when it is touched", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE, { ...EVERY_MINUTE, name: "daily", cron: "0 0 * * *" });
    await host.advance(90 * SECOND_MS);
    expect(host.scheduler.alarm).toBe(NOON + 2 * MINUTE_MS);
    const { rowsWritten } = host.scheduler;
    await host.begin();
    host.scheduler.evict();
    await host.begin();
    expect(host.scheduler.rowsWritten).toBe(rowsWritten);
  });

  it("costs four rows for each start", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE);
    const { rowsWritten } = host.scheduler;
    await host.advance(10 * MINUTE_MS);
    expect(host.scheduler.rowsWritten - rowsWritten).toBe(10 * 4);
  });

  it("rests with a look at what is deployed where its next time is far", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "1 12 * * *" });
    await host.advance(MINUTE_MS);
    expect(host.started).toHaveLength(1);
    expect(host.scheduler.alarm).toBe(NOON + MINUTE_MS + LIMITS.schedulerLookMs);
  });

  it("shares its time with many others, of which some wait for their turn", async () => {
    const host = await ScheduledHost.of(
      ...Array.from({ length: 100 }, (_, index) => ({ ...EVERY_MINUTE, name: `n-${index}` })),
    );
    const { rowsWritten } = host.scheduler;
    await host.advance(MINUTE_MS);
    expect(host.started).toHaveLength(100);
    expect(host.scheduler.rowsWritten - rowsWritten).toBe(2 * 100 + 2);
  });

  it("finds a lost alarm again when it is touched, and starts what is due", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, catchUp: "all" });
    host.scheduler.spoilAlarm(undefined);
    await host.advance(3 * MINUTE_MS);
    expect(host.started).toEqual([]);
    await host.begin();
    expect(host.started).toEqual(named("quick", "minutely", [1, 2, 3]));
    expect(host.scheduler.alarm).toBe(NOON + 4 * MINUTE_MS);
  });

  it.each([
    ["none", [60]],
    ["last", [60]],
    ["all", Array.from({ length: 60 }, (_, index) => index + 1)],
  ] as const)("with catchUp %j makes up for an hour without alarms", async (catchUp, minutes) => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, catchUp, overlap: "allow" });
    await host.sleepThrough(60 * MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", minutes).toSorted());
    expect((await host.list())[0]?.lastMissedAt).toBe(catchUp === "all" ? undefined : NOON + 59 * MINUTE_MS);
  });
});

describe("an overlap", () => {
  it("skip starts nothing while the last execution has not ended, and goes on when it has", async () => {
    const host = await ScheduledHost.of(SLOW);
    await host.advance(3 * MINUTE_MS);
    const [first = ""] = named("slow", "minutely", [1]);
    expect(host.started).toEqual([first]);
    expect((await host.list())[0]).toMatchObject({ lastSkippedAt: NOON + 3 * MINUTE_MS, pending: [] });
    await host.end(first);
    await host.advance(MINUTE_MS);
    expect(host.started).toEqual(named("slow", "minutely", [1, 4]));
  });

  it("allow starts at every time", async () => {
    const host = await ScheduledHost.of({ ...SLOW, overlap: "allow" });
    await host.advance(3 * MINUTE_MS);
    expect(host.started).toEqual(named("slow", "minutely", [1, 2, 3]));
    expect(await Promise.all(host.started.map((name) => host.stateOf(name)))).toEqual(Array(3).fill("waiting"));
  });

  it("cancel-previous cancels the last execution, and starts", async () => {
    const host = await ScheduledHost.of({ ...SLOW, overlap: "cancel-previous" });
    await host.advance(3 * MINUTE_MS);
    expect(host.started).toEqual(named("slow", "minutely", [1, 2, 3]));
    const states = [];
    for (const name of host.started) states.push(await host.stateOf(name));
    expect(states).toEqual(["cancelled", "cancelled", "waiting"]);
  });

  it("cancel-previous is not hindered by one that ended, or is gone", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, overlap: "cancel-previous" });
    await host.advance(MINUTE_MS);
    const [first = ""] = host.started;
    await host.advance(MINUTE_MS);
    const [workflow = "", id = ""] = first.split("/");
    await host.asked(host.objects.object(workflow, id, () => expect.fail()).service.purge());
    await host.advance(MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", [2, 3]));
  });
});

describe("a start whose answer is lost", () => {
  it("is sent again until the execution answers, and is one execution", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "1 12 * * *" });
    host.fate = ({ number }) => (number <= 3 ? "unanswered" : number <= 5 ? "lost" : "delivered");
    await host.advance(MINUTE_MS);
    expect((await host.list())[0]?.pending).toMatchObject([{ failures: 1 }]);
    await host.advance(MINUTE_MS);
    expect(host.started).toEqual(named("quick", "minutely", [1]));
    expect((await host.list())[0]).toMatchObject({ pending: [], last: { ended: "completed" } });
  });

  it("is sent again after a hang, while others go on", async () => {
    const host = await ScheduledHost.of(EVERY_MINUTE, { ...EVERY_MINUTE, name: "other" });
    host.fate = ({ to, number }) => (to.includes("minutely") && number <= 2 ? "late" : "delivered");
    await host.advance(MINUTE_MS + SECOND_MS);
    expect(host.started).toEqual(named("quick", "other", [1]));
    await host.advance(MINUTE_MS);
    expect(host.started).toEqual(
      [...named("quick", "minutely", [1, 2]), ...named("quick", "other", [1, 2])].toSorted(),
    );
  });

  it("holds up no time of another schedule while it hangs", async () => {
    const often = { ...EVERY_MINUTE, name: "often", cron: "*/5 * * * * *" };
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "1 12 * * *" }, often);
    host.fate = ({ to }) => (to.includes("minutely") ? "late" : "delivered");
    await host.advance(MINUTE_MS + 20 * SECOND_MS);
    expect(host.started).toHaveLength(12 + 4);
  });

  it("is sent again by the next object when this one dies, with the alarm alone", async () => {
    const host = await ScheduledHost.of({ ...EVERY_MINUTE, cron: "1 12 * * *" });
    host.fate = ({ number }) => {
      if (number === 1) host.scheduler.evict();
      return "delivered";
    };
    await host.advance(MINUTE_MS);
    expect(host.scheduler.states.get("minutely")?.pending).toHaveLength(1);
    expect(host.scheduler.alarm).toBe(NOON + MINUTE_MS + LIMITS.leaseMs);
    await host.advance(LIMITS.leaseMs);
    expect(host.started).toEqual(named("quick", "minutely", [1]));
    expect(host.scheduler.states.get("minutely")).toMatchObject({ pending: [], last: { by: "time" } });
  });

  it("counts as started where the id has another input by now", async () => {
    const one = { ...EVERY_MINUTE, cron: "1 12 * * *" };
    const host = await ScheduledHost.of({ ...one, input: 1 });
    host.fate = () => "unanswered";
    await host.advance(MINUTE_MS);
    host.fate = undefined;
    await host.deploy({ ...one, input: 2 });
    await host.advance(MINUTE_MS);
    expect((await host.list())[0]).toMatchObject({ pending: [], last: { id: "minutely.20260301T120100Z" } });
    expect(host.started).toHaveLength(1);
  });
});
