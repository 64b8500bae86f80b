import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp, storedIn } from "../support/served-app.ts";

const ORDERS = "/v1/workflows/order/executions";
const WAIT = { prefer: "wait=10" };

/** Ids whose `ship` still fails. */
const unshippable = new Set<string>();

const order = defineWorkflow(
  { name: "order", input: z.object({ text: z.string() }) },
  async ({ input, step, execution }) => {
    const large = await step.run("reserve", () => input.text);
    await step.run({ name: "ship", retryPolicy: { maximumAttempts: 1 } }, () => {
      if (unshippable.has(execution.id)) throw new Error("No ship.");
    });
    return large.length;
  },
);
const waiting = defineWorkflow({ name: "waiting" }, async ({ sleep }) => await sleep("1d"));

const app = serveApp({ workflows: [order, waiting], directory: false });

async function failedOrder(id: string, text = "lamp"): Promise<string> {
  unshippable.add(id);
  const { body } = await app.send(ORDERS, { json: { id, input: { text } }, headers: WAIT });
  expect(body).toMatchObject({ outcome: { code: "STEP_EXHAUSTED" } });
  return `${ORDERS}/${id}`;
}

describe("a fork over HTTP", () => {
  it("is made before a step: 201 with the new view and its place, 200 for the same again", async () => {
    const path = await failedOrder("f1");
    const original = await app.send(`${path}/journal`);
    const made = await app.send(`${path}/fork`, { json: { id: "f1-again", before: "ship" } });
    expect([made.status, made.headers.get("location")]).toEqual([201, `${ORDERS}/f1-again`]);
    expect(made.body).toMatchObject({ id: "f1-again", workflow: "order", forkedFrom: { id: "f1" } });
    const result = await app.send(`${ORDERS}/f1-again/result`, { headers: WAIT });
    expect(result.body).toEqual({ kind: "completed", value: 4 });
    const again = await app.send(`${path}/fork`, { json: { id: "f1-again", before: "ship" } });
    expect([again.status, again.body["state"]]).toEqual([200, "completed"]);
    expect((await app.send(`${path}/journal`)).text).toBe(original.text);
  });

  it("has a new id where none is given, and needs no body at all", async () => {
    const path = await failedOrder("f2");
    const made = await app.send(`${path}/fork`, { method: "POST" });
    expect(made.status).toBe(201);
    expect(made.body["id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    const { body } = await app.send(`${ORDERS}/${String(made.body["id"])}/result`, { headers: WAIT });
    // Everything before the end of the code was copied, what spent the step too.
    expect(body).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
  });

  it("copies values that are larger than a message between objects may be", async () => {
    const path = await failedOrder("f3", "€".repeat(2_500_000));
    // Input and outcome, of 7.5 MB each: more than a page holds.
    const made = await app.send(`${path}/fork`, { json: { id: "f3-again", before: "ship" } });
    expect(made.status).toBe(201);
    const result = await app.send(`${ORDERS}/f3-again/result`, { headers: WAIT });
    expect(result.body).toEqual({ kind: "completed", value: 2_500_000 });
    const stored = await storedIn(app.object("order/f3-again"));
    expect(stored).toEqual(expect.arrayContaining(["journal", "blobs"]));
    expect(stored.filter((name) => String(name).startsWith("staged"))).toEqual([]);
  });

  it("is refused with 422 where the cut does not exist, 409 where the id is taken, 404 where the original is", async () => {
    const path = await failedOrder("f4");
    const unknown = await app.send(`${path}/fork`, { json: { id: "f4-a", before: "pay" } });
    expect([unknown.status, unknown.body.code, unknown.body.issues?.[0]?.path]).toEqual([
      422,
      "VALIDATION_ERROR",
      "before",
    ]);
    expect(unknown.body["detail"]).toContain("reserve, ship");
    const outside = await app.send(`${path}/fork`, { json: { id: "f4-a", before: 0 } });
    expect([outside.status, outside.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    const taken = await app.send(`${path}/fork`, { json: { id: "f4" } });
    expect([taken.status, taken.body.code]).toEqual([409, "ID_CONFLICT"]);
    const absent = await app.send(`${ORDERS}/nobody/fork`, { json: { id: "f4-a" } });
    expect([absent.status, absent.body.code]).toEqual([404, "NOT_FOUND"]);
    const elsewhere = await app.send("/v1/workflows/waiting/executions/f4/fork", { json: { id: "f4-a" } });
    expect(elsewhere.status).toBe(404);
    expect(await storedIn(app.object("order/f4-a"))).toEqual([]);
    expect(await storedIn(app.object("order/nobody"))).toEqual([]);
  });

  it("stores nothing where the original is gone before its journal was copied", async () => {
    await failedOrder("f5");
    const object = app.object("order/f5");
    const cut = await object.cut({});
    if (cut.kind !== "cut") throw new Error("It can be forked.");
    const { entry, cutAt, startedAt } = cut;
    await app.send(`${ORDERS}/f5`, { method: "DELETE" });
    const fork = app.object("order/f5-late");
    const request = { workflow: "order", id: "f5-late", of: "f5", cut: entry, cutAt, startedAt };
    expect(await fork.fork(request, async (page) => ({ ...(await object.copy(page)) }))).toEqual({ kind: "absent" });
    expect(await storedIn(fork)).toEqual([]);
    // Another execution under the old id is not the original.
    await failedOrder("f5");
    expect(await fork.fork(request, async (page) => ({ ...(await object.copy(page)) }))).toEqual({ kind: "absent" });
    expect(await storedIn(fork)).toEqual([]);
  });

  it("sent twice at once is made once", async () => {
    const path = await failedOrder("f6", "x".repeat(100_000));
    const both = await Promise.all(
      [1, 2].map(() => app.send(`${path}/fork`, { json: { id: "f6-again", before: "ship" } })),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const { body } = await app.send(`${ORDERS}/f6-again/journal`);
    const facts = body["entries"] as readonly { readonly type: string }[];
    expect(facts.filter(({ type }) => type === "forked-from")).toHaveLength(1);
  });
});
