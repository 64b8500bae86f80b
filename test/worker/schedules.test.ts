import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { defineWorkflow, staticSchema, type Schedule } from "stepwell";
import { describe, expect, it } from "vitest";
import { serveApp, type ServedApp } from "../support/served-app.ts";

const SECOND_MS = 1_000;

const beat = defineWorkflow({ name: "beat", input: staticSchema<string>() }, async ({ input, execution }) => ({
  input,
  ...execution.attributes,
}));
const hold = defineWorkflow({ name: "hold", signals: { end: staticSchema<number>() } }, async ({ awaitSignal }) => {
  await awaitSignal("end");
});

const EVERY_SECOND: Schedule = { name: "pulse", cron: "* * * * * *", workflow: beat, input: "tick" };
const NEVER_SOON: Schedule = { name: "yearly", cron: "0 0 1 1 *", workflow: hold, overlap: "skip" };

interface Listed {
  readonly nextAt: number;
  readonly paused: boolean;
  readonly lastStart?: { readonly id: string; readonly at: number; readonly outcome?: string };
}

function serve(name: string, ...schedules: readonly Schedule[]): ServedApp {
  // Objects of executions are shared by the file's apps: their ids come from the schedules.
  return serveApp({
    workflows: [beat, hold],
    schedules: schedules.map((schedule) => ({ ...schedule, name: `${name}-${schedule.name}` })),
  });
}

async function listed({ send }: ServedApp): Promise<readonly Listed[]> {
  const { body } = await send("/v1/schedules");
  return body["schedules"] as readonly Listed[];
}

/** Waits for the schedule to have started something for a time after `at`. */
async function startedAfter(app: ServedApp, at: number): Promise<NonNullable<Listed["lastStart"]>> {
  for (;;) {
    const [schedule] = await listed(app);
    if (schedule?.lastStart !== undefined && schedule.lastStart.at > at) return schedule.lastStart;
    await scheduler.wait(100);
  }
}

describe("schedules of a Worker", () => {
  it("start executions by the platform's alarms, as soon as a first request came", async () => {
    const app = serve("by-alarm", EVERY_SECOND);
    const before = Date.now();
    await app.send("/healthz");
    const first = await startedAfter(app, before);
    const second = await startedAfter(app, first.at);
    for (const { id, at } of [first, second]) {
      expect(at % SECOND_MS).toBe(0);
      const { body } = await app.send(`/v1/workflows/beat/executions/${id}/result`, { headers: { prefer: "wait=10" } });
      expect(body).toEqual({
        kind: "completed",
        value: { input: "tick", schedule: "by-alarm-pulse", scheduledAt: at },
      });
    }
    await app.send("/v1/schedules/by-alarm-pulse/pause", { method: "POST" });
  });

  it("go on by the alarm alone when the object was lost", async () => {
    const app = serve("lost", EVERY_SECOND);
    await app.send("/healthz");
    const first = await startedAfter(app, 0);
    await evictDurableObject(app.scheduler());
    await scheduler.wait(2 * SECOND_MS);
    const stored = await runInDurableObject(app.scheduler(), (_, { storage }) =>
      storage.sql.exec<{ state: string }>("SELECT state FROM schedules").one(),
    );
    const state = JSON.parse(stored.state) as { readonly last: { readonly at: number } };
    expect(state.last.at).toBeGreaterThan(first.at);
    await app.send("/v1/schedules/lost-pulse/pause", { method: "POST" });
  });

  it("are paused and resumed, over the loss of the object", async () => {
    const app = serve("paused", EVERY_SECOND);
    const path = "/v1/schedules/paused-pulse";
    expect((await app.send(`${path}/pause`, { method: "POST" })).status).toBe(202);
    await evictDurableObject(app.scheduler());
    const again = await app.send(`${path}/pause`, { method: "POST" });
    expect([again.status, again.body["paused"], again.body["nextAt"]]).toEqual([200, true, null]);
    const before = (await listed(app))[0]?.lastStart?.at ?? 0;
    await scheduler.wait(1_500);
    expect((await listed(app))[0]?.lastStart?.at ?? 0).toBe(before);
    expect((await app.send(`${path}/resume`, { method: "POST" })).status).toBe(202);
    await startedAfter(app, before);
    await app.send(`${path}/pause`, { method: "POST" });
  });

  it("are triggered, once for a key, and not over an execution that has not ended", async () => {
    const app = serve("by-hand", NEVER_SOON);
    const path = "/v1/schedules/by-hand-yearly/trigger";
    const keyed = { method: "POST", headers: { "idempotency-key": "click" } };
    const first = await app.send(path, keyed);
    expect(first.status).toBe(201);
    const location = first.headers.get("location") ?? "";
    expect((await app.send(location)).body["state"]).toBe("waiting");
    expect((await app.send(path, keyed)).status).toBe(200);
    expect((await app.send(path, { method: "POST" })).body.code).toBe("SCHEDULE_OVERLAP");
    await app.send(`${location}/signals/end`, { json: 1 });
    expect((await app.send(path, { method: "POST" })).status).toBe(201);
    expect((await listed(app))[0]?.nextAt).toBe(Date.UTC(new Date().getUTCFullYear() + 1, 0, 1));
  });

  it("rest with an alarm within the hour, and one row for each schedule", async () => {
    const app = serve("resting", NEVER_SOON);
    await app.send("/v1/schedules");
    const [rows, alarm] = await runInDurableObject(app.scheduler(), async (_, { storage }) => [
      storage.sql.exec("SELECT name FROM schedules").toArray(),
      await storage.getAlarm(),
    ]);
    expect(rows).toEqual([{ name: "resting-yearly" }]);
    const ahead = (alarm as number) - Date.now();
    expect(ahead).toBeGreaterThan(3_500 * SECOND_MS);
    expect(ahead).toBeLessThanOrEqual(3_600 * SECOND_MS);
  });

  it("know the time zones of the platform", async () => {
    const daily = { ...NEVER_SOON, cron: "30 2 * * *", timeZone: "America/New_York" };
    const app = serve(
      "zones",
      { ...daily, name: "new-york" },
      { ...daily, name: "kathmandu", timeZone: "Asia/Kathmandu" },
    );
    const [newYork, kathmandu] = await listed(app);
    const shown = (at: number | undefined, timeZone: string) =>
      new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(at);
    expect(shown(newYork?.nextAt, "America/New_York")).toBe("02:30");
    expect(shown(kathmandu?.nextAt, "Asia/Kathmandu")).toBe("02:30");
    expect(shown(kathmandu?.nextAt, "UTC")).toBe("20:45");
  });
});
