import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError, OperationRefused } from "../../src/steps/errors.ts";
import { errorOf } from "../support/hits.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const signals = { go: staticSchema<string>() };

/** Ends in the way that it is told to, after so long. */
export const part = defineWorkflow(
  {
    name: "part",
    input: staticSchema<{ ends: string; afterMs: number }>(),
    signals,
    errors: { SOLD_OUT: z.object({ sku: z.string() }) },
  },
  async ({ input, sleep, step, errors, awaitSignal }) => {
    if (input.ends === "waits") return (await awaitSignal("go")).value;
    await sleep(input.afterMs);
    if (input.ends === "declared") throw errors.SOLD_OUT({ sku: "lamp" });
    if (input.ends === "failed") throw new NonRetryableError("No.", { code: "BROKEN", details: new Map([["n", 1n]]) });
    if (input.ends === "exhausted") {
      await step.run({ name: "spent", retryPolicy: { maximumAttempts: 1 } }, () => {
        throw new Error("fails");
      });
    }
    if (input.ends === "deadline") await sleep("1h");
    return input.ends;
  },
);

/** Awaits the execution `p` of `part`. */
const waits = defineWorkflow({ name: "waits" }, async ({ awaitExecution }) => {
  return await awaitExecution(executionRef(part, "p"));
});

const OUTCOMES: readonly (readonly [string, unknown])[] = [
  ["completed", { kind: "completed", value: "completed" }],
  ["declared", { kind: "failed", declared: true, code: "SOLD_OUT", message: "SOLD_OUT", details: { sku: "lamp" } }],
  ["failed", { kind: "failed", declared: false, code: "BROKEN", message: "No.", details: new Map([["n", 1n]]) }],
  [
    "exhausted",
    expect.objectContaining({ kind: "failed", code: "STEP_EXHAUSTED", details: { step: "spent", attempts: 1 } }),
  ],
  ["deadline", expect.objectContaining({ kind: "failed", declared: false, code: "DEADLINE_EXCEEDED" })],
  ["cancelled", { kind: "cancelled" }],
  ["terminated", { kind: "cancelled" }],
];

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeChildOutcomes(makeHost: MakeHost): void {
  describe("awaitExecution", () => {
    for (const [ends, expected] of OUTCOMES) {
      it.each([0, 5 * SECOND_MS])(
        `S55 case 157 case 158 case 182: gives the outcome of one that is ${ends} after %i ms, awaited before and after its end`,
        async (afterMs) => {
          const host = makeHost({ workflows: [waits, part] });
          const child = await host.start(part, {
            id: "p",
            input: { ends, afterMs: ends === "cancelled" || ends === "terminated" ? MINUTE_MS : afterMs },
            ...(ends === "deadline" && { deadlineMs: MINUTE_MS }),
          });
          const early = await host.start(waits, { id: "early" });
          await early.evict();
          if (ends === "cancelled") await child.command("cancel");
          if (ends === "terminated") await child.command("terminate");
          await host.advance(2 * MINUTE_MS);
          expect(await child.outcome()).toBeDefined();
          const late = await host.start(waits, { id: "late" });
          await host.runToEnd();
          for (const probe of [early, late]) {
            await probe.evict();
            expect(await probe.outcome()).toEqual({ kind: "completed", value: expected });
          }
        },
      );
    }

    it("S55 has no budget of its own: it waits for a month, without a row but for its questions", async () => {
      const host = makeHost({ workflows: [waits, part] });
      const child = await host.start(part, { id: "p", input: { ends: "waits", afterMs: 0 } });
      const probe = await host.start(waits);
      await host.advance(30 * 24 * 60 * MINUTE_MS);
      const view = await probe.view();
      expect([view.state, view.waitingFor]).toEqual([
        "waiting",
        [{ kind: "execution", name: "part/p", because: "no timeout" }],
      ]);
      const asks = (await typesOf(probe)).filter((type) => type === "child-watched").length;
      // After 1, 2, 4 … 1,024 minutes, which is most of a day, and then daily.
      expect(asks).toBeGreaterThan(30);
      expect(asks).toBeLessThan(45);
      expect((await child.facts()).filter(({ type }) => type === "watched")).toHaveLength(1);
      await child.signal("go", "at last");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { kind: "completed", value: "at last" } });
    });

    it("case 166: a child that waits for long spends nothing of its parent", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution }) => {
        return await runExecution(part, { ends: "waits", afterMs: 0 }, { id: "p" });
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.advance(60 * MINUTE_MS);
      expect(await typesOf(probe)).not.toContain("run-failed");
      expect((await probe.view()).steps).toMatchObject({ running: 0, waiting: 0, failed: 0 });
      await host.get(part, "p").signal("go", "on");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "on" });
    });

    it("case 162: refuses an execution that does not exist at once, and the same on replay", async () => {
      const seen: unknown[] = [];
      const asks = defineWorkflow({ name: "asks" }, async ({ awaitExecution, sleep }) => {
        for (const id of ["nope", "nope"]) {
          const error = await errorOf(awaitExecution(executionRef(part, id), { timeout: "1h" }));
          seen.push(OperationRefused.is(error) && [error.code, error.message]);
        }
        await sleep("1m");
        return "caught";
      });
      const host = makeHost({ workflows: [asks, part] });
      const probe = await host.start(asks);
      expect(seen).toHaveLength(2);
      expect(seen[0]).toEqual(["NOT_FOUND", expect.stringContaining("part/nope")]);
      await probe.evict();
      await host.runToEnd();
      expect(seen).toEqual([seen[0], seen[0], seen[0], seen[0]]);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "caught" });
    });

    it("gives a timeout as an outcome, and the outcome to a later wait", async () => {
      const asks = defineWorkflow({ name: "asks" }, async ({ awaitExecution }) => {
        const ref = executionRef(part, "p");
        return [
          await awaitExecution(ref, { timeout: 0 }),
          await awaitExecution(ref, { timeout: "5s" }),
          await awaitExecution(ref, { timeout: "1h" }),
        ];
      });
      const host = makeHost({ workflows: [asks, part] });
      await host.start(part, { id: "p", input: { ends: "completed", afterMs: 10 * SECOND_MS } });
      const probe = await host.start(asks);
      await host.advance(SECOND_MS);
      await probe.evict();
      expect((await probe.view()).waitingFor).toMatchObject([
        { kind: "execution", name: "part/p#2", because: "timeout", until: host.now() + 4 * SECOND_MS },
      ]);
      await host.runToEnd();
      await probe.evict();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ kind: "timeout" }, { kind: "timeout" }, { kind: "completed", value: "completed" }],
      });
    });

    it("settles every wait for one execution, in the order in which they were asked for", async () => {
      const passes: string[][] = [];
      const asks = defineWorkflow({ name: "asks" }, async ({ awaitExecution, sleep }) => {
        const seen: string[] = [];
        passes.push(seen);
        const ref = executionRef(part, "p");
        await Promise.all(
          ["a", "b", "c"].map(async (name) => {
            const { kind } = await awaitExecution(ref, { timeout: name === "b" ? "1s" : "1h" });
            seen.push(`${name} ${kind}`);
          }),
        );
        await sleep("1m");
      });
      const host = makeHost({ workflows: [asks, part] });
      await host.start(part, { id: "p", input: { ends: "completed", afterMs: 10 * SECOND_MS } });
      const probe = await host.start(asks);
      await host.advance(15 * SECOND_MS);
      await probe.evict();
      await host.runToEnd();
      const order = ["b timeout", "a completed", "c completed"];
      expect(passes).toEqual([order, order]);
      expect((await typesOf(probe)).filter((type) => type === "child-ended")).toHaveLength(1);
    });

    it("S76 a child that ends before its parent waits for it wakes nobody, and its failure is none of the parent", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, sleep }) => {
        const ref = await startExecution(part, { ends: "failed", afterMs: SECOND_MS });
        await sleep("1h");
        return [(await awaitExecution(ref)).kind, (await awaitExecution(ref)).kind];
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.advance(MINUTE_MS);
      const before = await probe.facts();
      expect(before.map(({ type }) => type)).toEqual(["started", "child-requested", "child-started", "timer-set"]);
      await host.advance(58 * MINUTE_MS);
      expect(await probe.facts()).toEqual(before);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["failed", "failed"] });
      await probe.evict();
      expect((await probe.view()).state).toBe("completed");
    });
  });
}
