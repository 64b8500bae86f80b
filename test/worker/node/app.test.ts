import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import { type AnyWorkflow, type App, stepwell, type StepwellOptions } from "../../../src/index.ts";
import { createTestApp, EXECUTIONS, order, reply, requestOf, tick } from "./test-app.ts";

const START = { json: { input: { sku: "a" }, id: "x" } };
const ORIGIN = "https://flows.example.com";

function optionsError(options: unknown): unknown {
  try {
    // The cast: callers may be JavaScript.
    stepwell(options as StepwellOptions);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("stepwell", () => {
  it.each([
    [{ workflows: [order], schedule: [] }, TypeError, "options.schedule"],
    [{ workflows: [order], bindings: { scheduler: "" } }, TypeError, "bindings.scheduler"],
    [{ workflows: [order], publicUrl: 5 }, TypeError, "publicUrl"],
    [{ workflows: [order], auth: "token" }, TypeError, "auth"],
    [{ workflows: [order], directory: true }, TypeError, "directory"],
    [{ workflows: [order], directoryShards: "2" }, TypeError, "directoryShards"],
    [{ workflows: [order], directoryShards: 0 }, RangeError, "directoryShards"],
    [{ workflows: [order], directoryShards: 33 }, RangeError, "directoryShards"],
    [{ workflows: [order], directoryShards: 1.5 }, RangeError, "directoryShards"],
    [{ workflows: [order], basePath: 5 }, TypeError, "basePath"],
    [{ workflows: [order], basePath: "flows" }, RangeError, "basePath"],
    [{ workflows: [order], basePath: "/flows/" }, RangeError, "basePath"],
    [{ workflows: [order], basePath: "/" }, RangeError, "basePath"],
    [{ workflows: [order], basePath: "/:tenant" }, RangeError, "basePath"],
    [{ workflows: [order], bindings: { execution: "E" } }, TypeError, "bindings.execution"],
    [{ workflows: [order], bindings: { executions: "" } }, TypeError, "bindings.executions"],
    [{ workflows: [order], bindings: { directory: 5 } }, TypeError, "bindings.directory"],
    [{ workflows: [order], stepTimeout: "1ms" }, RangeError, "stepTimeout"],
    [undefined, TypeError, "options"],
    [[], TypeError, "options"],
  ])("S59: refuses the options %j", (options, errorClass, field) => {
    const error = optionsError(options);
    expect(error).toBeInstanceOf(errorClass);
    expect(String(error)).toMatch(new RegExp(`Cannot use ${field.replace(".", "\\.")} as .*: current value is `));
  });

  it.each(["flows.example.com", "ftp://x", "https://x/?a", "https://x/?", "https://x/#", "https://u:p@x/", ""])(
    "refuses %j as publicUrl",
    (publicUrl) => {
      expect(() => stepwell({ workflows: [order], publicUrl })).toThrow(
        /^Cannot use publicUrl as .*: current value is/,
      );
    },
  );

  it("takes every option of its own, and an explicit undefined as absent", () => {
    const options = {
      workflows: [order, tick],
      retryPolicy: { maximumAttempts: 3 },
      stepTimeout: "5s",
      maximumRetryAfter: "2h",
      maximumValueBytes: 1_000,
      retention: "1d",
      auth: () => ({ role: "full" }),
      basePath: "/a/b",
      publicUrl: "https://flows.example.com/",
      bindings: { executions: "E", directory: "D", scheduler: "S" },
      schedules: [{ name: "nightly", cron: "0 2 * * *", workflow: tick }],
      onEvent: (_entry: unknown, _execution: { readonly id: string }, _env: Cloudflare.Env) => {},
      directory: false,
      directoryShards: 2,
    } as const satisfies StepwellOptions;
    expect(optionsError(options)).toBeUndefined();
    const absent = Object.fromEntries(Object.keys(options).map((key) => [key, undefined]));
    expect(optionsError({ ...absent, workflows: [order] })).toBeUndefined();
  });

  it("S59: is frozen, and does not follow its options", async () => {
    const workflows: AnyWorkflow[] = [order];
    const bindings = { executions: "EXECUTIONS" };
    const { app, send } = createTestApp({ workflows, bindings });
    workflows.push(tick);
    bindings.executions = "OTHER";
    expect(Object.isFrozen(app)).toBe(true);
    expect((await send("/v1/workflows/tick/executions", { json: {} })).status).toBe(404);
    expect((await send("/healthz")).status).toBe(200);
  });

  it("serves without this", async () => {
    const { app, env, context } = createTestApp();
    const { fetch } = app;
    expect((await fetch(requestOf(`${ORIGIN}/healthz`, {}), env, context)).status).toBe(200);
  });

  it("is a Worker's default export", () => {
    const app = stepwell({ workflows: [order] });
    app satisfies ExportedHandler<Cloudflare.Env>;
    expect(app.fetch).toBeTypeOf("function");
  });

  it.each(["Execution", "Directory", "Scheduler"] as const)(
    "has a class %s that says where it is constructed",
    (name) => {
      class Exported extends stepwell({ workflows: [order] })[name] {}
      expect(() => new Exported({} as DurableObjectState, {} as Cloudflare.Env)).toThrow(
        `Cannot construct ${name} as Durable Objects exist only in workerd`,
      );
    },
  );
});

describe("a router mounted elsewhere", () => {
  function mount(app: App, path: string) {
    const outer = new Hono<{ Bindings: Cloudflare.Env }>();
    outer.onError((_error, context) => context.text("outer fault", 500));
    outer.notFound((context) => context.text("outer", 404));
    outer.route(path, app.router);
    return outer;
  }

  it("links to where it is", async () => {
    const { app, env } = createTestApp();
    const outer = mount(app, "/flows");
    const answer = await reply(outer.fetch(requestOf(`${ORIGIN}/flows${EXECUTIONS}`, START), env));
    expect(answer.headers.get("location")).toBe(`/flows${EXECUTIONS}/x`);
    expect(answer.body["links"]).toMatchObject({ journal: `/flows${EXECUTIONS}/x/journal` });
    expect((await outer.fetch(requestOf(`${ORIGIN}/flows${EXECUTIONS}/x`, {}), env)).status).toBe(200);
  });

  it("takes a slash at the end of that path for none", async () => {
    const { app, env } = createTestApp();
    const outer = mount(app, "/flows/");
    const answer = await reply(outer.fetch(requestOf(`${ORIGIN}/flows${EXECUTIONS}`, START), env));
    expect([answer.status, answer.headers.get("location")]).toEqual([201, `/flows${EXECUTIONS}/x`]);
    expect((await outer.fetch(requestOf(`${ORIGIN}/flows${EXECUTIONS}/x`, {}), env)).status).toBe(200);
  });

  it("links to where it is under a path with parameters", async () => {
    const { app, env } = createTestApp();
    const outer = mount(app, "/tenants/:tenant/flows");
    const answer = await reply(outer.fetch(requestOf(`${ORIGIN}/tenants/a/flows${EXECUTIONS}`, START), env));
    expect(answer.headers.get("location")).toBe(`/tenants/a/flows${EXECUTIONS}/x`);
  });

  it("keeps its gate and its own answers to its own paths", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { app, env } = createTestApp({ auth: () => Promise.reject("no error") });
    const outer = mount(app, "/flows");
    expect((await outer.fetch(requestOf(`${ORIGIN}/flows/v1/workflows`, {}), env)).status).toBe(500);
    log.mockRestore();
    const open = mount(createTestApp().app, "/flows");
    const unknown = await reply(open.fetch(requestOf(`${ORIGIN}/flows/nope`, {}), env));
    expect([unknown.status, unknown.body.code]).toEqual([404, "NOT_FOUND"]);
    const closed = await reply(open.fetch(requestOf(`${ORIGIN}/flows/nope`, { headers: { authorization: "" } }), env));
    expect(closed.status).toBe(401);
    const outside = await reply(open.fetch(requestOf(`${ORIGIN}/nope`, {}), env));
    expect([outside.status, outside.text, outside.headers.get("cache-control")]).toEqual([404, "outer", null]);
  });
});

describe("basePath", () => {
  it("is where fetch answers, and what links carry", async () => {
    const { send } = createTestApp({ basePath: "/flows" });
    const answer = await send(`/flows${EXECUTIONS}`, START);
    expect(answer.headers.get("location")).toBe(`/flows${EXECUTIONS}/x`);
    expect((await send(`/flows${EXECUTIONS}/x`)).status).toBe(200);
    expect((await send("/flows/healthz", { headers: { authorization: "" } })).status).toBe(200);
    expect((await send("/flows/nope")).body.code).toBe("NOT_FOUND");
    expect((await send("/flows/nope", { headers: { authorization: "" } })).status).toBe(401);
    expect((await send("/flowsx/v1/workflows", { headers: { authorization: "" } })).status).toBe(401);
  });

  it("is carried by links too where what is in front takes it off", async () => {
    const { send } = createTestApp({ basePath: "/flows" });
    expect((await send(EXECUTIONS, START)).headers.get("location")).toBe(`/flows${EXECUTIONS}/x`);
  });
});
