import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { plainObject } from "../support/plain-object.ts";
import { serveApp, storedIn } from "../support/served-app.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { REJECTED: z.object({ sku: z.string() }) },
  },
  async ({ input, step, awaitSignal, setProgress, errors }) => {
    const price = await step.run("price", () => 12);
    setProgress({ price });
    const approval = await awaitSignal("approval", { timeout: "1d" });
    if (!approval.received || !approval.value.approved)
      throw errors.REJECTED({ sku: input.sku }, `${input.sku} is rejected`);
    return { sku: input.sku, price };
  },
);
const large = defineWorkflow({ name: "large" }, async ({ step }) => {
  await step.run("small", () => 1);
  return (await step.run("large", () => "€".repeat(100_000))).length;
});

const app = serveApp({ workflows: [order, large], directory: false });
const EXECUTIONS = "/v1/workflows/order/executions";
const APPROVE = { json: { approved: true } };
const WAIT = { prefer: "wait=10" };

/** A new execution that waits for its approval. */
async function started(id: string): Promise<string> {
  const path = `${EXECUTIONS}/${id}`;
  expect((await app.send(EXECUTIONS, { json: { id, input: { sku: "lamp" } } })).status).toBe(201);
  while ((await app.send(path)).body["state"] !== "waiting") await scheduler.wait(5);
  return path;
}

describe("an execution over HTTP", () => {
  it("is started once: 201, 200 for the same again, 409 for another input", async () => {
    const first = await app.send(EXECUTIONS, { json: { id: "s1", input: { sku: "lamp" } } });
    expect([first.status, first.headers.get("location")]).toEqual([201, `${EXECUTIONS}/s1`]);
    expect(first.body).toMatchObject({ id: "s1", workflow: "order", links: { self: `${EXECUTIONS}/s1` } });
    const again = await app.send(EXECUTIONS, { json: { id: "s1", input: { sku: "lamp" } } });
    expect([again.status, again.body["startedAt"]]).toEqual([200, first.body["startedAt"]]);
    const other = await app.send(EXECUTIONS, { json: { id: "s1", input: { sku: "desk" } } });
    expect([other.status, other.body.code]).toEqual([409, "ID_CONFLICT"]);
  });

  it("is viewed with what it waits for and its progress", async () => {
    const { status, body } = await app.send(await started("v1"));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "waiting",
      progress: { price: 12 },
      steps: { completed: 1 },
      waitingFor: [{ kind: "signal", because: "timeout" }],
    });
    const inADay = Number(body["nextWakeAt"]) - Number(body["startedAt"]);
    expect(inADay).toBeGreaterThanOrEqual(DAY_MS);
    expect(inADay).toBeLessThan(DAY_MS + 60 * SECOND_MS);
  });

  it("answers a start that prefers to wait when it has ended, or when the time is up", async () => {
    const ended = await app.send("/v1/workflows/large/executions", { json: { id: "w1" }, headers: WAIT });
    expect([ended.status, ended.headers.get("preference-applied")]).toEqual([201, "wait=10"]);
    expect(ended.body).toMatchObject({ state: "completed", outcome: { kind: "completed", value: 100_000 } });
    const startedAt = Date.now();
    const headers = { prefer: "wait=1" };
    const waiting = await app.send(EXECUTIONS, { json: { id: "w2", input: { sku: "lamp" } }, headers });
    expect([waiting.status, waiting.body["state"]]).toEqual([201, "waiting"]);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(SECOND_MS);
  });

  it("has no result before its end, 202, and then one, 200", async () => {
    const path = await started("r1");
    const before = await app.send(`${path}/result`);
    expect([before.status, before.headers.get("retry-after"), before.body["state"]]).toEqual([202, "1", "waiting"]);
    const result = app.send(`${path}/result`, { headers: WAIT });
    await app.send(`${path}/signals/approval`, APPROVE);
    const { status, body } = await result;
    expect([status, body]).toEqual([200, { kind: "completed", value: { sku: "lamp", price: 12 } }]);
  });

  it("has a declared error as its result, which is no failure of the request", async () => {
    const path = await started("r2");
    await app.send(`${path}/signals/approval`, { json: { approved: false } });
    const { status, body } = await app.send(`${path}/result`, { headers: WAIT });
    expect(status).toBe(200);
    const error = { declared: true, code: "REJECTED", message: "lamp is rejected", details: { sku: "lamp" } };
    expect(body).toEqual({ kind: "failed", ...error });
  });

  it("takes a signal: 202, a duplicate by its key, 422 for what it does not take, 409 after its end", async () => {
    const path = await started("g1");
    const signals = `${path}/signals`;
    const undeclared = await app.send(`${signals}/other`, APPROVE);
    expect([undeclared.status, undeclared.body.code]).toEqual([422, "UNSUPPORTED"]);
    const unfit = await app.send(`${signals}/approval`, { json: { approved: "yes" } });
    expect([unfit.status, unfit.body.code, unfit.body.issues?.[0]?.path]).toEqual([
      422,
      "VALIDATION_ERROR",
      "approved",
    ]);
    expect((await app.send(path)).body["state"]).toBe("waiting");
    const keyed = { ...APPROVE, headers: { "idempotency-key": "k" } };
    const first = await app.send(`${signals}/approval`, keyed);
    expect([first.status, first.body]).toEqual([202, { accepted: true, duplicate: false }]);
    const again = await app.send(`${signals}/approval`, keyed);
    expect([again.status, again.body]).toEqual([202, { accepted: true, duplicate: true }]);
    expect((await app.send(`${path}/result`, { headers: WAIT })).body["kind"]).toBe("completed");
    const late = await app.send(`${signals}/approval`, APPROVE);
    expect([late.status, late.body.code]).toEqual([409, "EXECUTION_ENDED"]);
  });

  it("answers a signal that prefers to wait with the view after what the signal led to", async () => {
    const path = await started("g2");
    const answer = await app.send(`${path}/signals/approval`, { ...APPROVE, headers: WAIT });
    expect([answer.status, answer.body["state"]]).toEqual([200, "completed"]);
  });

  it("is paused and resumed, 202, or 200 where it already is so", async () => {
    const path = await started("p1");
    const command = async (name: string) => {
      const { status, body } = await app.send(`${path}/${name}`, { json: { reason: `to ${name}` } });
      return [status, body["state"]];
    };
    expect(await command("pause")).toEqual([202, "paused"]);
    expect(await command("pause")).toEqual([200, "paused"]);
    expect((await app.send(path)).body["reason"]).toEqual({ code: "PAUSED", message: "to pause" });
    expect((await app.send(`${path}/signals/approval`, APPROVE)).status).toBe(202);
    expect((await app.send(path)).body).toMatchObject({ state: "paused", unreadSignals: 1 });
    expect((await command("resume"))[0]).toBe(202);
    expect((await app.send(`${path}/result`, { headers: WAIT })).body["kind"]).toBe("completed");
    expect((await app.send(`${path}/pause`, { method: "POST" })).body.code).toBe("EXECUTION_ENDED");
  });

  it.each(["cancel", "terminate"])("ends by %s: 202, and 200 for the same again", async (command) => {
    const path = await started(`c-${command}`);
    expect((await app.send(`${path}/${command}`, { method: "POST" })).status).toBe(202);
    const result = await app.send(`${path}/result`, { headers: WAIT });
    expect([result.status, result.body]).toEqual([200, { kind: "cancelled" }]);
    const again = await app.send(`${path}/${command}`, { method: "POST" });
    expect([again.status, again.body["state"]]).toEqual([200, "cancelled"]);
  });

  it("is deleted after its end, 204, and not before, 409; then nothing is stored, and its id is free", async () => {
    const path = await started("d1");
    const refused = await app.send(path, { method: "DELETE" });
    expect([refused.status, refused.body.code]).toEqual([409, "EXECUTION_NOT_ENDED"]);
    await app.send(`${path}/terminate`, { method: "POST" });
    expect(await storedIn(app.object("order/d1"))).not.toEqual([]);
    const deleted = await app.send(path, { method: "DELETE" });
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await app.send(path)).status).toBe(404);
    expect(await storedIn(app.object("order/d1"))).toEqual([]);
    expect((await app.send(EXECUTIONS, { json: { id: "d1", input: { sku: "desk" } } })).status).toBe(201);
  });
});

describe("a journal over HTTP", () => {
  const LARGE = "/v1/workflows/large/executions";

  it("comes in pages that hold everything once, in order", async () => {
    await app.send(LARGE, { json: { id: "j1" }, headers: WAIT });
    const whole = await app.send(`${LARGE}/j1/journal`);
    const entries = whole.body["entries"] as readonly { readonly entry: number; readonly type: string }[];
    expect(whole.body["next"]).toBeNull();
    expect(entries.map(({ type }) => type)).toEqual([
      "started",
      "attempt-started",
      "step-completed",
      "attempt-started",
      "step-completed",
      "completed",
    ]);
    const paged: unknown[] = [];
    for (let from: unknown = 0; from !== null;) {
      const { body } = await app.send(`${LARGE}/j1/journal?from=${String(from)}&limit=2`);
      paged.push(...(body["entries"] as readonly unknown[]));
      from = body["next"];
    }
    expect(paged).toEqual(entries);
  });

  it("has a link in place of a large value, which answers with it", async () => {
    await app.send(LARGE, { json: { id: "j2" }, headers: WAIT });
    const { body } = await app.send(`${LARGE}/j2/journal?from=4&limit=1`);
    const [entry] = body["entries"] as readonly { readonly value: { readonly $value: string } }[];
    expect(entry?.value.$value).toBe(`${LARGE}/j2/journal/4/value`);
    const { status, text } = await app.send(entry?.value.$value ?? "");
    expect([status, text === JSON.stringify("€".repeat(100_000))]).toEqual([200, true]);
    const none = await app.send(`${LARGE}/j2/journal/3/value`);
    expect(none.status).toBe(404);
    expect(none.body).toMatchObject({ code: "NOT_FOUND" });
    expect(none.body["detail"]).toContain("this entry");
  });
});

describe("a caller that goes away", () => {
  it("case 118: while step 2 of 3 runs, lets each step run once and the execution go on", async () => {
    const hits: string[] = [];
    const three = defineWorkflow({ name: "three" }, async ({ step }) => {
      await step.run("one", () => void hits.push("one"));
      await step.run("two", async () => {
        hits.push("two");
        await scheduler.wait(SECOND_MS);
      });
      await step.run("three", () => void hits.push("three"));
      return "done";
    });
    const { send } = serveApp({ workflows: [three] });
    const path = "/v1/workflows/three/executions";
    let isAnswered = false;
    // The caller is an object of its own, whose end cuts its calls off.
    const caller = runInDurableObject(plainObject(three), async (_, state) => {
      void send(path, { json: { id: "x" }, headers: WAIT }).finally(() => (isAnswered = true));
      while (!hits.includes("two")) await scheduler.wait(5);
      state.abort("The caller goes away.");
    });
    await expect(caller).rejects.toThrow("The caller goes away.");
    expect(hits).toEqual(["one", "two"]);
    const result = await send(`${path}/x/result`, { headers: WAIT });
    expect([result.status, result.body]).toEqual([200, { kind: "completed", value: "done" }]);
    expect(hits).toEqual(["one", "two", "three"]);
    expect(isAnswered).toBe(false);
  });
});
