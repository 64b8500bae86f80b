import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { ExecutionCancelled, ExecutionFailed } from "../../src/steps/outcome-errors.ts";
import { errorOf } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";
import { childIdsOf } from "./children.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

export function describeChildCalls(makeHost: MakeHost): void {
  describe("a call for another execution", () => {
    it("is refused a call that is wrong by itself without a number, live and on replay", async () => {
      const part = defineWorkflow({ name: "part" }, async () => 1);
      const whole = defineWorkflow({ name: "whole" }, async (context) => {
        const { sleep, execution } = context;
        // The cast: calls that a compiler would refuse.
        const loose = context as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
        const ref = executionRef(part, "p");
        const calls: readonly (readonly [string, ...unknown[]])[] = [
          ["startExecution", 5],
          ["startExecution", {}],
          ["startExecution", "Not Kebab"],
          ["startExecution", part, undefined, { id: "a/b" }],
          ["startExecution", part, undefined, { onParentEnd: "stop" }],
          ["startExecution", part, undefined, { retries: 3 }],
          ["startExecution", part, () => 1],
          ["runExecution", part, undefined, { onParentEnd: "continue" }],
          ["awaitExecution", "p"],
          ["awaitExecution", { workflow: "part", id: "" }],
          ["awaitExecution", ref, { timeout: "366d" }],
          ["awaitExecution", executionRef(whole, execution.id)],
          ["signalExecution", ref, "not a name", 1],
          ["signalExecution", ref, "s", Symbol("s")],
          ["cancelExecution", ref, 7],
          ["cancelExecution", ref, "x".repeat(1_025)],
        ];
        const seen: string[] = [];
        for (const [member, ...args] of calls) {
          const error = await errorOf(loose[member]?.(...args) ?? Promise.resolve());
          seen.push(OperationRefused.is(error) ? error.code : (error as Error).constructor.name);
          expect((error as Error).message).toMatch(/^Cannot /);
        }
        await sleep("1m");
        return seen;
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await probe.evict();
      await host.runToEnd();
      const outcome = await probe.outcome();
      expect(outcome).toEqual({
        kind: "completed",
        value: [
          "TypeError",
          "TypeError",
          "RangeError",
          "RangeError",
          "TypeError",
          "TypeError",
          "ValueFault",
          "TypeError",

          "TypeError",
          "RangeError",
          "RangeError",
          "DEADLOCK",
          "RangeError",
          "ValueFault",
          "TypeError",
          "RangeError",
        ],
      });
      const operations = (await probe.facts()).filter((fact) => "kind" in fact);
      expect(operations).toMatchObject([{ op: 0, kind: "sleep" }]);
    });
  });

  describe("runExecution", () => {
    it("gives the value of the other, or throws how it ended, live and on replay", async () => {
      const part = defineWorkflow(
        { name: "part", input: staticSchema<string>(), errors: { EMPTY: z.object({ left: z.int() }) } },
        async ({ input, errors, sleep, cancelExecution, execution }) => {
          if (input === "fails") throw errors.EMPTY({ left: 0 }, "none is left");
          if (input === "cancels") await cancelExecution(executionRef(execution.workflow, execution.id));
          await sleep("1s");
          return { input };
        },
      );
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution, sleep }) => {
        const value = await runExecution(part, "works");
        const failed = await errorOf(runExecution(part, "fails"));
        const cancelled = await errorOf(runExecution(part, "cancels"));
        await sleep("1h");
        return [
          value,
          ExecutionFailed.is(failed) && [failed.declared, failed.code, failed.message, failed.details],
          ExecutionCancelled.is(cancelled),
        ];
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.advance(HOUR_MS / 2);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ input: "works" }, [true, "EMPTY", "none is left", { left: 0 }], true],
      });
    });

    it("is no unhandled rejection where nobody awaits it, and a race that it loses goes on", async () => {
      const part = defineWorkflow({ name: "part", input: staticSchema<number>() }, async ({ sleep, input, errors }) => {
        await sleep(input);
        throw (errors as unknown as Record<string, () => Error>)["GONE"]?.();
      });
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution, sleep }) => {
        void runExecution("missing", 1);
        return await Promise.race([runExecution(part, 60 * SECOND_MS), sleep("1s").then(() => "slept")]);
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.advance(2 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "slept" });
      const [, id = ""] = await childIdsOf(probe);
      expect(await host.get(part, id).outcome()).toEqual({ kind: "cancelled" });
    });
  });
}
