import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp } from "../support/served-app.ts";

const EXECUTIONS = "/v1/workflows/ends/executions";
const WAIT = { prefer: "wait=10" };
const SECRET = "s3cret-of-the-service";

const WAYS = ["returns", "exhausts", "fails", "is refused", "waits"] as const;

const ends = defineWorkflow(
  {
    name: "ends",
    input: z.object({ way: z.enum(WAYS) }),
    errors: { DECLINED: z.object({}) },
    signals: { go: z.string() },
    retryPolicy: { maximumAttempts: 1 },
  },
  async ({ input: { way }, step, awaitSignal, errors }) => {
    if (way === "exhausts") {
      await step.run("leaks", () => {
        throw new Error(SECRET, { cause: new Error(SECRET) });
      });
    }
    if (way === "fails") throw new TypeError("a bug");
    if (way === "is refused") throw errors.DECLINED({});
    if (way === "waits") await awaitSignal("go");
    return null;
  },
);

const app = serveApp({ workflows: [ends] });

async function start(id: string, way: (typeof WAYS)[number]) {
  return await app.send(EXECUTIONS, { json: { id, input: { way } }, headers: WAIT });
}

describe("the result of an execution over HTTP", () => {
  it.each([
    ["returns", { kind: "completed", value: null }],
    ["exhausts", { kind: "failed", declared: false, code: "STEP_EXHAUSTED" }],
    ["is refused", { kind: "failed", declared: true, code: "DECLINED" }],
  ] as const)("case 182: settles a wait for one that %s", async (way, result) => {
    await start(`r-${way.replace(" ", "-")}`, way);
    const answer = await app.send(`${EXECUTIONS}/r-${way.replace(" ", "-")}/result`, { headers: WAIT });
    expect([answer.status, answer.body]).toMatchObject([200, result]);
  });

  it("case 182: settles a wait for one whose deadline comes", async () => {
    const json = { id: "r-late", input: { way: "waits" }, deadline: "1s" };
    await app.send(EXECUTIONS, { json });
    const { status, body } = await app.send(`${EXECUTIONS}/r-late/result`, { headers: WAIT });
    expect([status, body]).toMatchObject([200, { kind: "failed", declared: false, code: "DEADLINE_EXCEEDED" }]);
  });

  it("case 182: is none for one that its budget has paused, which the view says", async () => {
    const json = { id: "r-spent", input: { way: "exhausts" }, budget: { bytes: 1 } };
    await app.send(EXECUTIONS, { json });
    const { status, body } = await app.send(`${EXECUTIONS}/r-spent/result`, { headers: { prefer: "wait=1" } });
    expect([status, body]).toMatchObject([202, { state: "paused", reason: { code: "BUDGET_EXCEEDED" } }]);
  });

  it.each(["cancel", "terminate"])("case 182: settles a wait that began before the %s", async (command) => {
    const path = `${EXECUTIONS}/r-${command}`;
    await app.send(EXECUTIONS, { json: { id: `r-${command}`, input: { way: "waits" } } });
    const result = app.send(`${path}/result`, { headers: WAIT });
    await app.send(`${path}/${command}`, { method: "POST" });
    expect([(await result).status, (await result).body]).toEqual([200, { kind: "cancelled" }]);
  });

  it("case 182: is none while the execution is paused, which the view says", async () => {
    await app.send(EXECUTIONS, { json: { id: "r-paused", input: { way: "fails" } } });
    const { status, body } = await app.send(`${EXECUTIONS}/r-paused/result`, { headers: { prefer: "wait=1" } });
    expect([status, body]).toMatchObject([202, { state: "paused", reason: { code: "RUN_FAILED" } }]);
  });

  it("case 173: is that of the ended execution for a start that is repeated, until it is purged", async () => {
    const first = await start("r-again", "returns");
    const again = await start("r-again", "returns");
    expect([first.status, again.status, again.body["startedAt"]]).toEqual([201, 200, first.body["startedAt"]]);
    expect((await start("r-again", "is refused")).body.code).toBe("ID_CONFLICT");
    await app.send(`${EXECUTIONS}/r-again`, { method: "DELETE" });
    const anew = await start("r-again", "is refused");
    expect([anew.status, anew.body]).toMatchObject([201, { state: "failed", reason: { code: "DECLINED" } }]);
  });

  it("case 183: is 404 at once after the purge, as is everything else", async () => {
    await start("r-gone", "returns");
    const path = `${EXECUTIONS}/r-gone`;
    await app.send(path, { method: "DELETE" });
    const startedAt = Date.now();
    const answers = await Promise.all([
      app.send(path),
      app.send(`${path}/result`, { headers: WAIT }),
      app.send(`${path}/journal`),
      app.send(`${path}/signals/go`, { json: "x", headers: WAIT }),
      app.send(`${path}/cancel`, { method: "POST" }),
      app.send(`${path}/fork`, { method: "POST" }),
      app.send(path, { method: "DELETE" }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, "NOT_FOUND"]));
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });

  it("case 217: never holds what an attempt threw, nor do the view, the list and the log; the journal does", async () => {
    const levels = ["debug", "info", "log", "warn", "error"] as const;
    const logs = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    const { text } = await start("r-leak", "exhausts");
    let list = "";
    while (!list.includes('"code":"STEP_EXHAUSTED"')) {
      list = (await app.send("/v1/executions?workflow=ends&state=failed&idPrefix=r-leak")).text;
    }
    const logged = logs.flatMap((log) => log.mock.calls.map((line) => inspect(line)));
    vi.restoreAllMocks();
    for (const shown of [list, ...logged]) expect(shown).not.toContain(SECRET);
    const view = await app.send(`${EXECUTIONS}/r-leak`);
    const result = await app.send(`${EXECUTIONS}/r-leak/result`);
    for (const answer of [text, view.text, result.text]) expect(answer).not.toContain(SECRET);
    expect((await app.send(`${EXECUTIONS}/r-leak/journal`)).text).toContain(SECRET);
  });
});
