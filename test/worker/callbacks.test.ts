import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp, storedIn } from "../support/served-app.ts";

const urls = new Map<string, string>();

const approval = defineWorkflow({ name: "approval" }, async ({ execution, createCallback, step }) => {
  const schema = z.object({ approved: z.boolean(), by: z.string().default("nobody") });
  const callback = await createCallback({ name: "approval", schema, timeout: "1d" });
  await step.run("mail", () => void urls.set(execution.id, callback.url));
  const answer = await callback.result();
  return answer.received ? answer.value : "no answer";
});

const app = serveApp({ workflows: [approval], directory: false });
const mounted = serveApp({ workflows: [approval], basePath: "/flows", directory: false });
const EXECUTIONS = "/v1/workflows/approval/executions";

/** A new execution that waits for its callback, and the path of that. */
async function started(id: string, { send } = app, prefix = ""): Promise<string> {
  expect((await send(`${prefix}${EXECUTIONS}`, { json: { id } })).status).toBe(201);
  while ((await send(`${prefix}${EXECUTIONS}/${id}`)).body["state"] !== "waiting") await scheduler.wait(5);
  return new URL(urls.get(id) ?? "").pathname;
}

const answer = (json: unknown, key?: string) => ({
  json,
  headers: { authorization: "", ...(key !== undefined && { "idempotency-key": key }) },
});

const result = async (id: string) =>
  (await app.send(`${EXECUTIONS}/${id}/result`, { headers: { prefer: "wait=10" } })).body;

describe("a callback over HTTP", () => {
  it("is answered once: 422 for what does not fit, 200, 200 for the same key, 410 for any other", async () => {
    const path = await started("a1");
    const view = (await app.send(`${EXECUTIONS}/a1`)).body;
    expect(view["waitingFor"]).toMatchObject([{ kind: "callback", name: "approval", because: "timeout" }]);
    const unfit = await app.send(path, answer({ approved: "yes" }));
    expect([unfit.status, unfit.body.code, unfit.body.issues?.[0]?.path]).toEqual([
      422,
      "VALIDATION_ERROR",
      "approved",
    ]);
    expect((await app.send(`${EXECUTIONS}/a1`)).body["state"]).toBe("waiting");
    const first = await app.send(path, answer({ approved: true }, "k"));
    expect([first.status, first.body]).toEqual([200, { accepted: true, duplicate: false }]);
    const again = await app.send(path, answer({ approved: true }, "k"));
    expect([again.status, again.body]).toEqual([200, { accepted: true, duplicate: true }]);
    expect(await result("a1")).toEqual({ kind: "completed", value: { approved: true, by: "nobody" } });
    for (const key of [undefined, "other"]) {
      const used = await app.send(path, answer({ approved: true }, key));
      expect([used.status, used.body.code]).toEqual([410, "CALLBACK_USED"]);
    }
    expect((await app.send(path, answer({ approved: false }, "k"))).status).toBe(200);
  });

  it("is not used up by a look at it, and appears in no journal and no view", async () => {
    const path = await started("a2");
    for (const method of ["GET", "HEAD", "OPTIONS"]) await app.send(path, { method, headers: { authorization: "" } });
    const token = path.split("/").at(-1) ?? "";
    const signature = token.split(".").at(-1) ?? "";
    for (const what of ["", "/journal", "/result"]) {
      expect((await app.send(`${EXECUTIONS}/a2${what}`)).text).not.toContain(signature);
    }
    const journal = (await app.send(`${EXECUTIONS}/a2/journal`)).body["entries"];
    expect(journal).toMatchObject([
      { origin: "https://flows.example.com" },
      { callback: token.split(".")[2] },
      {},
      {},
      {},
    ]);
    expect((await app.send(path, answer({ approved: false, by: "ann" }))).status).toBe(200);
    expect(await result("a2")).toEqual({ kind: "completed", value: { approved: false, by: "ann" } });
    const answered = (await app.send(`${EXECUTIONS}/a2/journal?from=5`)).body["entries"];
    expect(answered).toMatchObject([{ type: "callback-answered", value: { approved: false, by: "ann" } }, {}, {}]);
  });

  it("is 410 once its execution has ended or was deleted, and nothing is stored for it then", async () => {
    const path = await started("a3");
    await app.send(`${EXECUTIONS}/a3/terminate`, { method: "POST" });
    const ended = await app.send(path, answer({ approved: true }));
    expect([ended.status, ended.body.code]).toEqual([410, "CALLBACK_ENDED"]);
    expect((await app.send(`${EXECUTIONS}/a3`, { method: "DELETE" })).status).toBe(204);
    const gone = await app.send(path, answer({ approved: true }));
    expect([gone.status, gone.body.code]).toEqual([410, "CALLBACK_ENDED"]);
    expect(await storedIn(app.object("approval/a3"))).toEqual([]);
  });

  it("case 216: is 404 when it is forged, and no object is made for it", async () => {
    const path = await started("a4");
    const forged = await app.send(path.replace(".a4.", ".a5."), answer({ approved: true }));
    expect([forged.status, forged.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(await storedIn(app.object("approval/a5"))).toEqual([]);
  });

  it("carries the path under which the router is mounted", async () => {
    const path = await started("a6", mounted, "/flows");
    expect(path).toMatch(/^\/flows\/v1\/callbacks\/approval\./);
    expect((await mounted.send(path, answer({ approved: true }))).status).toBe(200);
  });
});
