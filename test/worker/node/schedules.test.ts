import { describe, expect, it, vi } from "vitest";
import type {
  SchedulerPort,
  ScheduleView,
  TriggerAnswer,
  TriggerRequest,
} from "../../../src/execution/wire-schedules.ts";
import type { Schedule } from "../../../src/index.ts";
import { createTestApp, requestOf, tick } from "./test-app.ts";

const NIGHTLY: Schedule = { name: "nightly", cron: "30 2 * * *", timeZone: "Europe/Berlin", workflow: tick };
const DAY_MS = 86_400_000;

const VIEW: ScheduleView = {
  name: "nightly",
  cron: "30 2 * * *",
  timeZone: "Europe/Berlin",
  workflow: "tick",
  overlap: "skip",
  catchUp: "none",
  nextTimes: [DAY_MS, 2 * DAY_MS],
  pending: [],
};
const LAST = { id: "nightly.19700101T013000Z", workflow: "tick", at: 1, by: "time", startedAt: 2 } as const;

/** An app whose scheduler answers as it is told. */
function createScheduledApp(port: Partial<SchedulerPort> = {}, options: { readonly basePath?: string } = {}) {
  const touch = vi.fn<SchedulerPort["touch"]>(async () => {});
  const trigger = vi.fn<(request: TriggerRequest) => Promise<TriggerAnswer>>(async () => ({
    kind: "started",
    created: true,
  }));
  const scheduler = {
    touch,
    list: async () => [VIEW],
    command: async () => ({ kind: "done", changed: true, view: VIEW }) as const,
    trigger,
    ...port,
  };
  const names: string[] = [];
  const namespace = { idFromName: (name: string) => names.push(name), get: () => scheduler };
  const made = createTestApp({ workflows: [tick], schedules: [NIGHTLY], ...options }, { SCHEDULER: namespace });
  return { ...made, touch, trigger, names };
}

describe("GET /v1/schedules", () => {
  it("lists the schedules, with what comes next and links", async () => {
    const { send, names } = createScheduledApp();
    const { status, body } = await send("/v1/schedules");
    const { nextTimes, pending, ...terms } = VIEW;
    expect([status, body]).toEqual([
      200,
      {
        schedules: [
          {
            ...terms,
            paused: false,
            nextAt: DAY_MS,
            nextTimes,
            pending,
            links: {
              pause: "/v1/schedules/nightly/pause",
              resume: "/v1/schedules/nightly/resume",
              trigger: "/v1/schedules/nightly/trigger",
            },
          },
        ],
      },
    ]);
    expect(new Set(names)).toEqual(new Set(["scheduler"]));
  });

  it("shows a pause, the last start and its end, and links under a path", async () => {
    const views: ScheduleView[] = [
      { ...VIEW, pausedAt: 5, nextTimes: [], last: { ...LAST, ended: "failed" }, lastSkippedAt: 3 },
      { ...VIEW, name: "b", last: { ...LAST, ended: "gone" } },
      { ...VIEW, name: "c", last: LAST, lastRefused: { at: 1, code: "NOT_FOUND", message: "no" } },
    ];
    const { send } = createScheduledApp({ list: async () => views }, { basePath: "/flows" });
    const { body } = await send("/flows/v1/schedules");
    const execution = "/flows/v1/workflows/tick/executions/nightly.19700101T013000Z";
    expect(body["schedules"]).toMatchObject([
      { paused: true, pausedAt: 5, nextAt: null, lastStart: { ...LAST, outcome: "failed", links: { execution } } },
      { paused: false, lastStart: { ...LAST, purged: true, links: {} } },
      { lastStart: { ...LAST, links: { execution } }, lastRefused: { code: "NOT_FOUND" } },
    ]);
  });

  it("is empty where there are none, and needs no binding", async () => {
    const { send } = createTestApp();
    expect((await send("/v1/schedules")).body).toEqual({ schedules: [] });
    expect((await send("/healthz")).status).toBe(200);
  });

  it("is for the read token too, and commands are not", async () => {
    const { send } = createScheduledApp();
    const headers = { authorization: "Bearer read-token" };
    expect((await send("/v1/schedules", { headers })).status).toBe(200);
    expect((await send("/v1/schedules/nightly/pause", { method: "POST", headers })).body.code).toBe("FORBIDDEN");
    expect((await send("/v1/schedules", { headers: { authorization: "" } })).status).toBe(401);
  });

  it("is unavailable where the object cannot be reached", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { send } = createScheduledApp({ list: () => Promise.reject(new Error("lost")) });
    const answer = await send("/v1/schedules");
    expect([answer.status, answer.body.code, answer.headers.get("retry-after")]).toEqual([503, "UNAVAILABLE", "1"]);
    log.mockRestore();
  });
});

describe("commands of a schedule", () => {
  it.each(["pause", "resume"] as const)("%s is 202 where it changes something, else 200", async (command) => {
    const asked = vi.fn<SchedulerPort["command"]>();
    asked.mockResolvedValueOnce({ kind: "done", changed: true, view: VIEW });
    asked.mockResolvedValueOnce({ kind: "done", changed: false, view: VIEW });
    const { send } = createScheduledApp({ command: asked });
    const first = await send(`/v1/schedules/nightly/${command}`, { method: "POST" });
    const second = await send(`/v1/schedules/nightly/${command}`, { json: {} });
    expect([first.status, second.status, first.body["name"]]).toEqual([202, 200, "nightly"]);
    expect(asked).toHaveBeenCalledWith({ name: "nightly", command });
  });

  it.each([
    [{ kind: "started", created: true }, 201],
    [{ kind: "started", created: false }, 200],
    [{ kind: "pending" }, 202],
  ] as const)("trigger that is %j is %d, with the execution", async (answer, status) => {
    const { send } = createScheduledApp({ trigger: async () => answer });
    const reply = await send("/v1/schedules/nightly/trigger", { method: "POST" });
    expect([reply.status, reply.body["workflow"]]).toEqual([status, "tick"]);
    expect(reply.body["id"]).toMatch(/^nightly\.trigger-[0-9a-f-]{36}$/);
    expect(reply.headers.get("location")).toBe(`/v1/workflows/tick/executions/${String(reply.body["id"])}`);
  });

  it("trigger under a key is the same execution", async () => {
    const { send } = createScheduledApp();
    const ids: unknown[] = [];
    for (const key of ["a", "a", "b"]) {
      const headers = { "idempotency-key": key };
      ids.push((await send("/v1/schedules/nightly/trigger", { method: "POST", headers })).body["id"]);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(ids[0]).toMatch(/^nightly\.trigger-[\w-]{32}$/);
  });

  it.each([
    [{ kind: "skipped", running: "nightly.19700101T013000Z" }, 409, "SCHEDULE_OVERLAP"],
    [{ kind: "invalid", code: "VALIDATION_ERROR", message: "no" }, 422, "VALIDATION_ERROR"],
    [{ kind: "refused", code: "UNAVAILABLE", message: "too many" }, 503, "UNAVAILABLE"],
    [{ kind: "absent" }, 503, "UNAVAILABLE"],
  ] as const)("trigger that is %j is %d %s", async (answer, status, code) => {
    const { send } = createScheduledApp({ trigger: async () => answer });
    const reply = await send("/v1/schedules/nightly/trigger", { method: "POST" });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it("pause of a schedule that the object does not have yet may be repeated", async () => {
    const { send } = createScheduledApp({ command: async () => ({ kind: "absent" }) });
    const reply = await send("/v1/schedules/nightly/pause", { method: "POST" });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  it.each(["pause", "resume", "trigger"])(
    "%s of an unknown schedule is 404, and of an unknown key 422",
    async (command) => {
      const { send } = createScheduledApp();
      expect((await send(`/v1/schedules/weekly/${command}`, { method: "POST" })).body.code).toBe("NOT_FOUND");
      const odd = await send(`/v1/schedules/nightly/${command}`, { json: { reason: "x" } });
      expect([odd.status, odd.body.code]).toEqual([422, "VALIDATION_ERROR"]);
      expect((await send(`/v1/schedules/nightly/${command}`)).status).toBe(405);
    },
  );
});

describe("a Worker with schedules", () => {
  it("is not configured without the binding, and says so", async () => {
    const { send } = createTestApp({ workflows: [tick], schedules: [NIGHTLY] });
    const health = await send("/healthz");
    expect([health.status, health.body.code]).toEqual([503, "NOT_CONFIGURED"]);
    expect(health.text).toContain("the binding SCHEDULER must be a Durable Object namespace");
  });

  it("makes a deploy's schedules known with the first request, whichever it is", async () => {
    const { send, touch } = createScheduledApp();
    await send("/healthz");
    await send("/v1/workflows", { headers: { authorization: "" } });
    expect(touch).toHaveBeenCalledTimes(1);
  });

  it("tries again with the next request where that failed", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const touch = vi.fn<SchedulerPort["touch"]>(() => Promise.reject(new Error("lost")));
    const { send } = createScheduledApp({ touch });
    await send("/healthz");
    await send("/healthz");
    expect(touch).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it("makes them known without the platform's context", async () => {
    const { app, env, touch } = createScheduledApp();
    expect((await app.router.fetch(requestOf("https://flows.example.com/healthz", {}), env)).status).toBe(200);
    expect(touch).toHaveBeenCalledTimes(1);
  });

  it("makes them known at a Cron Trigger, without this", async () => {
    const { app, env, context, touch } = createScheduledApp();
    const { scheduled } = app;
    const controller = { scheduledTime: 0, cron: "*/15 * * * *", noRetry: () => {} } as ScheduledController;
    await scheduled(controller, env, context);
    expect(touch).toHaveBeenCalledTimes(1);
    const without = createTestApp();
    await without.app.scheduled(controller, without.env, without.context);
  });
});
