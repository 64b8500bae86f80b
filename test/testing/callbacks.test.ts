import { defineWorkflow } from "stepwell";
import { createTestEngine, explore, type TestEngineOptions } from "stepwell/testing";
import * as z from "zod";
import { describe, expect, it } from "vitest";

const urls: string[] = [];
const approval = defineWorkflow({ name: "approval" }, async ({ createCallback, step }) => {
  const callback = await createCallback({ name: "boss", schema: z.object({ ok: z.boolean() }), timeout: "1d" });
  await step.run("mail", () => void urls.push(callback.url));
  const answer = await callback.result();
  return answer.received ? answer.value.ok : "nobody answered";
});

async function start(options: Partial<TestEngineOptions> = {}) {
  const engine = createTestEngine({ workflows: [approval], ...options });
  const execution = await engine.start(approval);
  const url = urls.at(-1);
  if (url === undefined) throw new Error("A mail was sent.");
  return { engine, execution, url };
}

describe("a callback in a test", () => {
  it("is answered by its URL, once", async () => {
    const { engine, execution, url } = await start();
    expect(url).toMatch(/^http:\/\/localhost\/v1\/callbacks\//);
    expect(execution.waitingFor).toMatchObject([{ kind: "callback", name: "boss", until: 86_400_000 }]);
    await engine.answerCallback(url, { ok: true }, { idempotencyKey: "click" });
    await engine.answerCallback(url, { ok: true }, { idempotencyKey: "click" });
    expect(execution.outcome).toEqual({ kind: "completed", value: true });
    await expect(engine.answerCallback(url, { ok: false })).rejects.toMatchObject({ name: "OperationRefused" });
  });

  it("is left unanswered until its timeout", async () => {
    const { engine, execution, url } = await start();
    await engine.runToEnd();
    expect(execution.outcome).toEqual({ kind: "completed", value: "nobody answered" });
    await expect(engine.answerCallback(url, { ok: true })).rejects.toMatchObject({ name: "OperationRefused" });
  });

  it("refuses what its schema does not take, and URLs that nobody was given", async () => {
    const { engine, url } = await start();
    await expect(engine.answerCallback(url, { ok: "yes" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(engine.answerCallback(`${url}x`, { ok: true })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(engine.answerCallback("nowhere", { ok: true })).rejects.toThrow(
      'Cannot use url as it must be that of a callback: current value is "nowhere"',
    );
  });

  it("has the origin and the secret of the deployment, where those are given", async () => {
    const env = { STEPWELL_TOKEN: "secret" } as Partial<Cloudflare.Env>;
    const { engine, execution, url } = await start({ publicUrl: "https://flows.example.com", env });
    expect(url).toMatch(/^https:\/\/flows\.example\.com\/v1\/callbacks\//);
    await engine.answerCallback(url, { ok: false });
    expect(execution.outcome).toEqual({ kind: "completed", value: false });
  });

  it("keeps its answer whenever its object dies", async () => {
    await explore(approval, undefined, {
      // A death may come before the mail: the clock brings the run as far again.
      scenario: async ({ engine }) => {
        await engine.advance("1h");
        await engine.answerCallback(urls.at(-1) ?? "", { ok: true });
      },
      check: ({ outcome }) => expect(outcome).toEqual({ kind: "completed", value: true }),
    });
  });
});
