import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/index.workerd.ts";
import { serveApp } from "../support/served-app.ts";

const SECOND_MS = 1_000;
const EXECUTIONS = "/v1/workflows/talk/executions";
const WAIT = { prefer: "wait=10" };

let failures = 0;

/** After each word it works for a moment, and tells how far it came. */
const talk = defineWorkflow(
  { name: "talk", signals: { word: z.enum(["next", "slow", "fail", "end"]) }, retryPolicy: { initialInterval: "5m" } },
  async ({ step, awaitSignal, setProgress }) => {
    for (let heard = 1; ; heard += 1) {
      const { value } = await awaitSignal("word");
      await step.run("work", async () => {
        await scheduler.wait(value === "slow" ? 3 * SECOND_MS : 50);
        if (value === "fail" && (failures += 1) === 1) throw new Error("The service is down.");
      });
      setProgress({ heard });
      if (value === "end") return heard;
    }
  },
);

const app = serveApp({ workflows: [talk] });

async function started(id: string): Promise<string> {
  const path = `${EXECUTIONS}/${id}`;
  expect((await app.send(EXECUTIONS, { json: { id } })).status).toBe(201);
  while ((await app.send(path)).body["state"] !== "waiting") await scheduler.wait(5);
  return path;
}

function say(path: string, word: string, headers: Readonly<Record<string, string>> = WAIT) {
  return app.send(`${path}/signals/word`, { json: word, headers });
}

describe("a signal that prefers to wait", () => {
  it("is answered with the view at the moment the execution next waits, after the work that it led to", async () => {
    const path = await started("next");
    const { status, headers, body } = await say(path, "next");
    expect([status, headers.get("preference-applied")]).toEqual([200, "wait=10"]);
    expect(body).toMatchObject({
      state: "waiting",
      progress: { heard: 1 },
      steps: { completed: 1, running: 0 },
      waitingFor: [{ kind: "signal", name: "word#2" }],
    });
    expect((await say(path, "end")).body).toMatchObject({ state: "completed", outcome: { value: 2 } });
  });

  it("is answered when a step waits for its next attempt, which nobody should wait for", async () => {
    const { status, body } = await say(await started("fails"), "fail");
    expect([status, body["state"]]).toEqual([200, "waiting"]);
    expect(body).toMatchObject({ steps: { waiting: 1 }, waitingFor: [{ kind: "retry", name: "work" }] });
  });

  it("is answered with the view of what still runs when the time is up", async () => {
    const path = await started("slow");
    const sentAt = Date.now();
    const { status, headers, body } = await say(path, "slow", { prefer: "wait=1" });
    expect([status, headers.get("preference-applied")]).toEqual([200, "wait=1"]);
    expect(body).toMatchObject({ state: "running", steps: { running: 1 } });
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(SECOND_MS);
  });

  it("is answered after the replay and the work where its object was evicted before", async () => {
    const path = await started("evicted");
    await say(path, "next");
    await evictDurableObject(app.object("talk/evicted"));
    expect((await say(path, "next")).body).toMatchObject({ state: "waiting", progress: { heard: 2 } });
  });

  it("is answered at once where it is kept for later, as the execution is paused", async () => {
    const path = await started("paused");
    await app.send(`${path}/pause`, { method: "POST" });
    const sentAt = Date.now();
    const { status, body } = await say(path, "next");
    expect([status, body["state"], body["unreadSignals"]]).toEqual([200, "paused", 1]);
    expect(Date.now() - sentAt).toBeLessThan(5 * SECOND_MS);
  });

  it("is answered with the view where it is a duplicate, and nothing happens again", async () => {
    const path = await started("twice");
    const headers = { ...WAIT, "idempotency-key": "once" };
    expect((await say(path, "next", headers)).body).toMatchObject({ progress: { heard: 1 } });
    const again = await say(path, "next", headers);
    expect([again.status, again.body]).toMatchObject([200, { state: "waiting", progress: { heard: 1 } }]);
  });

  it("is refused as without the wait where it does not fit or comes too late", async () => {
    const path = await started("refused");
    expect((await say(path, "nonsense")).status).toBe(422);
    await say(path, "end");
    expect((await say(path, "next")).body).toMatchObject({ status: 409, code: "EXECUTION_ENDED" });
  });
});

describe("a start that prefers to wait", () => {
  it("waits for the end of the execution that the same start made before, which a signal brings", async () => {
    const path = await started("ends");
    const again = app.send(EXECUTIONS, { json: { id: "ends" }, headers: WAIT });
    await say(path, "end", {});
    const { status, body } = await again;
    expect([status, body]).toMatchObject([200, { state: "completed", outcome: { kind: "completed", value: 1 } }]);
  });

  it("is not answered when the execution waits, but when the time is up", async () => {
    const sentAt = Date.now();
    const { status, body } = await app.send(EXECUTIONS, { json: { id: "waits" }, headers: { prefer: "wait=1" } });
    expect([status, body["state"]]).toEqual([201, "waiting"]);
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(SECOND_MS);
  });
});
