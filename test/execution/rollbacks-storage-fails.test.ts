import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>() };

function endingsOf({ rows }: MemoryObject): number {
  const facts = rows.flatMap(({ entries }) => JSON.parse(entries) as Entry[]);
  return facts.filter(({ type }) => type === "ending").length;
}

/** A saga with a large value whose storage fails at these operations; it may be paused while it rolls back. */
async function disturbed(failing: readonly number[], isPaused: boolean) {
  const workflow = defineWorkflow({ name: "saga", signals }, async ({ step, awaitSignal }) => {
    const terms = (name: string) => ({ name, retryPolicy: every("1s", 6) });
    await step.run(terms("a"), () => "x".repeat(100_000), hits.ok("undo a"));
    await step.run(
      terms("b"),
      () => 2,
      async () => {
        await host.delay(200);
        hits.failing("undo b", 1)();
      },
    );
    await awaitSignal("s");
    throw new NonRetryableError("over", { code: "OVER" });
  });
  const host = new MemoryHost({ workflows: [workflow] });
  const hits = new Hits(host);
  const object = host.object(workflow, "x");
  host.faults.beforeWrite = (operation) => {
    if (failing.includes(operation)) throw new Error(`operation ${operation} fails`);
  };
  const input = encodeValue(undefined, 100);
  const request = { workflow: "saga", id: "x", input, inputHash: "h", waitMs: 0 };
  await insist(host, () => object.service.start(request));
  const signal = { name: "s", value: encodeValue("v", 100), key: "k", waitMs: 0 };
  await insist(host, () => object.service.signal(signal));
  await host.advance(100);
  if (isPaused) await insist(host, () => object.service.command({ command: "pause" }));
  await host.advance(2 * SECOND_MS);
  if (isPaused) await insist(host, () => object.service.command({ command: "resume" }));
  await host.advance(600 * SECOND_MS);
  return { object, hits };
}

/** A caller who asks again when the answer is an error. A request may also come when all is over. */
async function insist(host: MemoryHost, ask: () => Promise<{ readonly kind: string }>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const kind = await ask().then(
      (answer) => answer.kind,
      () => "failed",
    );
    await host.settle();
    if (kind !== "failed") return expect(["started", "accepted", "done", "refused"]).toContain(kind);
  }
  throw new Error("There was no answer to ten requests.");
}

describe("rollbacks over storage that fails", () => {
  it.each([false, true])(
    "at any one operation, or at two in a row, all have their outcomes; paused: %s",
    async (isPaused) => {
      const { operations } = (await disturbed([], isPaused)).object;
      expect(operations).toBeGreaterThan(15);
      for (let n = 1; n <= operations; n += 1) {
        for (const failing of [[n], [n, n + 1]]) {
          const { object, hits } = await disturbed(failing, isPaused);
          const { end, rollbacks } = storedState(object);
          const phases = [...rollbacks.values()].map(({ name, phase }) => `${name} ${phase}`);
          expect([failing, end?.type, phases]).toEqual([failing, "failed", ["b completed", "a completed"]]);
          expect(endingsOf(object)).toBe(1);
          expect(hits.count("undo a")).toBeGreaterThanOrEqual(1);
          expect([failing, isAtRest(object), object.alarm]).toEqual([failing, true, wantedAlarm(object)]);
        }
      }
    },
  );
});
