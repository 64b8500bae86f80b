import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import reports, { Directory, Execution, Scheduler } from "../../examples/schedule/index.ts";
import { directoryBinding } from "../support/directory-binding.ts";
import { registerObject, registerScheduler } from "../workers/registry.ts";
import { reply, requestOf, TOKEN, type Sending } from "./node/test-app.ts";

// The cast: the application, and its objects among themselves, use these two methods of the namespaces alone.
const bindings: Cloudflare.Env = {
  EXECUTIONS: {
    idFromName: (name: string) => {
      registerObject(name, (ctx, bound) => new Execution(ctx, { ...bound, ...bindings }));
      return env.EXECUTIONS.idFromName(name);
    },
    get: (id: DurableObjectId) => env.EXECUTIONS.get(id),
  },
  SCHEDULER: {
    idFromName: (name: string) => {
      registerScheduler(name, (ctx, bound) => new Scheduler(ctx, { ...bound, ...bindings }));
      return env.SCHEDULER.idFromName(name);
    },
    get: (id: DurableObjectId) => env.SCHEDULER.get(id),
  },
  DIRECTORY: directoryBinding(Directory, () => bindings),
  STEPWELL_TOKEN: TOKEN,
  FIGURES_URL: inject("serviceUrl"),
} as unknown as Cloudflare.Env;

function send(path: string, sending: Sending = {}) {
  return reply(
    reports.fetch(requestOf(`https://flows.example.com${path}`, sending), bindings, createExecutionContext()),
  );
}

describe("the example of a schedule", () => {
  it("reports the day that its time belongs to", async () => {
    const triggered = await send("/v1/schedules/daily-report/trigger", { method: "POST" });
    expect(triggered.status).toBe(201);
    const location = triggered.headers.get("location") ?? "";
    const { body } = await send(`${location}/result`, { headers: { prefer: "wait=20" } });
    const day = new Date().toISOString().slice(0, 10);
    expect(body).toMatchObject({ kind: "completed", value: { day, count: 1 } });
    const sent = await fetch(`${bindings.FIGURES_URL}/body?of=/reports/sales`);
    expect(await sent.json()).toEqual({ day, count: 1 });
  });

  it("lists when it starts next: at half past two by the clock of Berlin, and in working hours", async () => {
    const { body } = await send("/v1/schedules");
    const [daily, hourly] = body["schedules"] as readonly { readonly name: string; readonly nextTimes: number[] }[];
    const shown = (at: number) =>
      new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" }).format(at);
    expect([daily?.name, daily?.nextTimes.map(shown)]).toEqual(["daily-report", ["02:30", "02:30", "02:30"]]);
    for (const at of hourly?.nextTimes ?? []) expect(shown(at)).toMatch(/^(?:0[89]|1[0-8]):00$/);
  });
});
