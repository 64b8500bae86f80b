import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { plainObject, startRequest } from "../support/plain-object.ts";

it("case 191: an object whose entries lack all that may be left out, and whose storage only has a journal, goes on", async () => {
  const workflow = defineWorkflow({ name: "older" }, async ({ step, sleep }) => {
    const first = await step.run("a", () => "now");
    await sleep("1h");
    return [first, await step.run("b", () => "y".repeat(100_000).length)];
  });
  const stub = plainObject(workflow);
  const at = Date.now() - 7_200_000;
  const policy = { initialIntervalMs: 1_000, backoffCoefficient: 2, maximumIntervalMs: 60_000, jitter: 0 };
  const started = {
    type: "started",
    format: 1,
    workflow: "older",
    id: "e-1",
    seed: "s",
    input: -1,
    inputHash: startRequest(workflow).inputHash,
    policy: { ...policy, maximumAttempts: 20, nonRetryableErrors: [] },
    timeoutMs: 60_000,
    retentionMs: 86_400_000,
    at,
  };
  const rows = [
    [started, { type: "attempt-started", op: 0, kind: "step", name: "a", at, attempt: 1 }],
    [
      { type: "step-completed", op: 0, value: ["then"], at },
      { type: "timer-set", op: 1, kind: "sleep", name: "sleep", dueAt: at + 3_600_000, at },
    ],
  ];
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("CREATE TABLE journal (seq INTEGER PRIMARY KEY, entries TEXT NOT NULL)");
    for (const [index, row] of rows.entries()) {
      storage.sql.exec("INSERT INTO journal (seq, entries) VALUES (?, ?)", index * 2, JSON.stringify(row));
    }
  });
  await evictDurableObject(stub);
  const found = await stub.result(10_000);
  if (found.kind === "absent") throw new Error("The execution is gone.");
  expect(found.view).toMatchObject({ state: "completed", startedAt: at, outcome: { value: '[[1,2],"then",100000]' } });
  expect(await stub.start(startRequest(workflow))).toMatchObject({ created: false });
});
