import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { NonRetryableError, OperationRefused } from "../../src/steps/errors.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import { wantedAlarm } from "../support/stored-state.ts";

const SECOND_MS = 1_000;
const HUGE = "m".repeat(3_000_000);
const once = { maximumAttempts: 1 };
const signals = { s: staticSchema<number>() };

/** Length of the longest row; the platform takes none of 2 MB. */
function longestRow({ object }: MemoryProbe): number {
  return Math.max(...object.rows.map(({ entries }) => entries.length));
}

describe("words without a bound", () => {
  const errors = { REFUSED: staticSchema<number>() };

  it.each(["declared", "of its own code", "of the engine's default code"])(
    "in an error that ends the execution, %s, are cut to what an entry may carry",
    async (which) => {
      const workflow = defineWorkflow({ name: "w", errors }, async ({ errors: { REFUSED } }) => {
        if (which === "declared") throw REFUSED(1, HUGE);
        throw new NonRetryableError(HUGE, which === "of its own code" ? { code: HUGE } : {});
      });
      const host = new MemoryHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const outcome = await probe.outcome();
      if (outcome?.kind !== "failed") throw new Error("It has not failed.");
      expect(outcome.message.length).toBe(LIMITS.failureMessageBytes);
      expect(outcome.code.length).toBeLessThanOrEqual(LIMITS.failureCodeBytes);
      expect(longestRow(probe)).toBeLessThan(16_384);
    },
  );

  it.each(["pause", "cancel", "terminate"] as const)("in the reason of a %s are cut likewise", async (command) => {
    const workflow = defineWorkflow({ name: "w", signals }, async ({ awaitSignal }) => {
      await awaitSignal("s");
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    expect(await probe.command(command, HUGE)).toBe("done");
    // As a length: a text that is too long would be printed.
    const [kept] = JSON.stringify(await probe.facts()).match(/mmm+/) ?? [];
    expect(kept?.length).toBe(LIMITS.reasonBytes);
  });
});

describe("an output schema", () => {
  function slowWorkflow(validate: () => Promise<StandardSchemaV1.Result<number>>) {
    const output: StandardSchemaV1<number> = { "~standard": { version: 1, vendor: "test", validate } };
    return defineWorkflow({ name: "slow", output, retryPolicy: once }, async () => 1);
  }

  it("that never answers holds up neither the answer to the start nor a termination, and stalls the run", async () => {
    const workflow = slowWorkflow(() => new Promise(() => {}));
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    expect((await probe.view()).state).toBe("running");
    await host.advance(LIMITS.stallMs);
    expect((await probe.view()).reason).toMatchObject({ code: "STALLED" });
    await probe.command("resume");
    expect((await probe.view()).state).toBe("running");
    expect(await probe.command("terminate")).toBe("done");
    expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    expect(await probe.alarm()).toBe(wantedAlarm(probe.object));
  });

  it("that answers late is waited for", async () => {
    const workflow = slowWorkflow(async () => {
      await host.delay(5 * SECOND_MS);
      return { value: 2 };
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.advance(5 * SECOND_MS - 1);
    expect((await probe.view()).state).toBe("running");
    await host.advance(1);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
  });
});

describe("setProgress", () => {
  it("takes no number for a call that is refused, live and on replay alike", async () => {
    const workflow = defineWorkflow({ name: "w" }, async ({ setProgress, sleep, step }) => {
      const seen: string[] = [];
      try {
        setProgress(() => 1);
        seen.push("taken");
      } catch {
        seen.push(await step.run("fallback", () => "refused"));
      }
      setProgress(1);
      await sleep("1s");
      return seen;
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await probe.evict();
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: ["refused"] });
  });

  it("is refused when the journal is full, live and on replay alike", async () => {
    const value = "x".repeat(60_000);
    const refused: unknown[] = [];
    const workflow = defineWorkflow({ name: "w" }, async ({ setProgress }) => {
      let calls = 0;
      try {
        for (; calls < 1_000; calls += 1) setProgress(value);
      } catch (error) {
        refused.push([calls, OperationRefused.is(error) && error.code]);
      }
      // The next run replays this one.
      if (refused.length < 2) throw new Error("fails once");
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.runToEnd();
    const most = Math.ceil(LIMITS.journalBytes / value.length);
    expect(refused).toEqual([most, most].map((calls) => [calls, "JOURNAL_LIMIT"]));
    const { state, usage } = await probe.view();
    expect(state).toBe("completed");
    expect(usage.journalBytes).toBeLessThan(LIMITS.journalBytes + LIMITS.rowBytes);
  });
});

describe("a listener of an attempt's signal", () => {
  it("is a part of the attempt: what it asks for is refused as nested, and no replay misses it", async () => {
    const workflow = defineWorkflow({ name: "w" }, async ({ step, sleep }) => {
      const attempt = step.run({ name: "a", timeout: "1s", retryPolicy: once }, async ({ signal }) => {
        return await new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            void sleep(5);
            reject(new Error("aborted"));
          });
        });
      });
      const code = await attempt.catch((error: unknown) => NonRetryableError.is(error) && error.code);
      await sleep("1s");
      return code;
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.advance(SECOND_MS);
    await probe.evict();
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "NESTED_STEP" });
    const kinds = (await probe.facts()).flatMap((fact) => ("kind" in fact ? [fact.kind] : []));
    expect(kinds).toEqual(["step", "sleep"]);
    expect(host.logs).toEqual([]);
  });
});
