import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/execution/deployment.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { OperationRefused, type StepExhausted } from "../../src/steps/errors.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import { MemoryHost } from "../support/memory-host.ts";

/** The code that a call is refused with. */
function codeOf(call: () => unknown): string {
  try {
    call();
    return "not refused";
  } catch (error) {
    return OperationRefused.is(error) ? error.code : "another error";
  }
}

const signals = { go: staticSchema<number>() };

describe("limits", () => {
  it("as many attempts run at once as may; the next step is queued, keeps its place and starts when there is room", async () => {
    let most = 0;
    let running = 0;
    const workflow = defineWorkflow<number, readonly number[]>({ name: "crowd" }, async ({ input, step }) => {
      const work = async (i: number) => {
        running += 1;
        most = Math.max(most, running);
        await host.delay(i === 7 ? 500 : 1_000);
        running -= 1;
        return i;
      };
      return await Promise.all(Array.from({ length: input }, (_, i) => step.run("piece", () => work(i))));
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const queued: number[] = [];
    for (const count of [LIMITS.concurrentAttempts, LIMITS.concurrentAttempts + 1]) {
      const probe = await host.start(workflow, { input: count });
      expect((await probe.view()).steps.running).toBe(count);
      queued.push((await probe.facts()).filter(({ type }) => type === "queued").length);
      await host.advance(500);
      expect(running).toBe(count - 1);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: Array.from({ length: count }, (_, i) => i) });
    }
    expect(queued).toEqual([0, 1]);
    expect(most).toBe(LIMITS.concurrentAttempts);
  });

  it("a journal takes operations up to its bytes; the first one beyond is refused at the call, on replay too", async () => {
    const value = "x".repeat(LIMITS.inlineValueBytes - 2);
    const hits: string[] = [];
    const workflow = defineWorkflow({ name: "heavy", signals }, async ({ step, awaitSignal, ...notes }) => {
      const going = awaitSignal("go");
      for (;;) {
        try {
          await step.run("piece", () => value.slice(0, hits.push("piece") && value.length - 2));
        } catch (error) {
          if (!OperationRefused.is(error)) throw error;
          const { setProgress, setAttributes, patched } = notes;
          const more = [() => setProgress("full"), () => setAttributes({ full: true }), () => patched("full")];
          const refused = more.map((note) => codeOf(note));
          await going;
          return [error.message, error.code, ...refused, notes.execution.attributes];
        }
      }
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    const { usage } = await probe.view();
    expect(usage.journalBytes).toBeGreaterThan(LIMITS.journalBytes);
    expect(usage.journalBytes).toBeLessThan(LIMITS.journalBytes + 2 * LIMITS.inlineValueBytes);
    const before = hits.length;
    await probe.evict();
    await probe.signal("go", 1);
    const message = `Cannot add to the journal as it may have ${LIMITS.journalBytes} bytes besides its large values.`;
    const codes = Array.from({ length: 4 }, () => "JOURNAL_LIMIT");
    expect(await probe.outcome()).toEqual({ kind: "completed", value: [message, ...codes, {}] });
    expect(hits).toHaveLength(before);
  });

  it("S18 the attempts of a step are bounded by no number where only time bounds them", async () => {
    const beyond = LIMITS.attemptsPerStep + 5;
    const workflow = defineWorkflow({ name: "patient" }, async ({ step }) => {
      const retryPolicy = { initialInterval: 10, backoffCoefficient: 1, maximumDuration: "1h" } as const;
      return await step.run({ name: "knock", retryPolicy }, ({ attempt }) => {
        if (attempt < beyond) throw new Error("not yet");
        return attempt;
      });
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.runToEnd();
    expect(await probe.outcome()).toEqual({ kind: "completed", value: beyond });
  });

  it("S18 a full journal ends the attempts of a step that only time bounds, and of no other", async () => {
    const attempts = { "by-time": 0, "by-number": 0 };
    const workflow = defineWorkflow({ name: "patient" }, async ({ step, setProgress }) => {
      const knock = (name: keyof typeof attempts, retryPolicy: RetryPolicy) =>
        step.run({ name, retryPolicy }, () => {
          attempts[name] += 1;
          throw new Error("not yet");
        });
      const steps = [knock("by-time", { maximumDuration: "1 day" }), knock("by-number", { maximumAttempts: 3 })];
      const ends = Promise.allSettled(steps);
      while (codeOf(() => setProgress("x".repeat(60_000))) === "not refused");
      return (await ends).map((end) => end.status === "rejected" && (end.reason as StepExhausted).message);
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    await host.runToEnd();
    const message = (step: string) => `Workflow Step ${step} exhausted its retries.`;
    expect(await probe.outcome()).toEqual({ kind: "completed", value: [message("by-time"), message("by-number")] });
    expect(attempts).toEqual({ "by-time": 1, "by-number": 3 });
    const spent = (await probe.facts()).flatMap((fact) => ("spent" in fact ? [fact.spent] : []));
    expect(spent).toEqual(["journal", "attempts"]);
  });

  it("a value stays in its row up to its bound, and has parts of its own beyond it", async () => {
    const workflow = defineWorkflow<number>({ name: "inline" }, async ({ input, step }) => {
      await step.run("x", () => "x".repeat(input));
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const isBlob = async (characters: number) => {
      const probe = await host.start(workflow, { input: characters });
      const completed = (await probe.facts()).find((fact) => fact.type === "step-completed");
      return JSON.stringify(completed).includes('"blob"');
    };
    // A text alone is encoded with two brackets and two quotes.
    expect(await isBlob(LIMITS.inlineValueBytes - 4)).toBe(false);
    expect(await isBlob(LIMITS.inlineValueBytes - 3)).toBe(true);
  });

  it("names and times of a workflow are taken up to their bounds, and refused beyond", () => {
    const define = (options: object) => () => defineWorkflow({ name: "x", ...options }, async () => 1);
    const year = LIMITS.retentionMs;
    for (const options of [
      { name: "n".repeat(LIMITS.workflowNameLength) },
      { version: "v".repeat(LIMITS.versionLength) },
      { retention: LIMITS.retentionMinimumMs },
      { retention: year },
      { stepTimeout: LIMITS.attemptTimeoutMinimumMs },
      { stepTimeout: LIMITS.attemptTimeoutMs },
      { deadline: 1 },
      { deadline: LIMITS.deadlineMs },
    ]) {
      expect(define(options)).not.toThrow();
    }
    for (const options of [
      { name: "n".repeat(LIMITS.workflowNameLength + 1) },
      { version: "v".repeat(LIMITS.versionLength + 1) },
      { version: "" },
      { retention: LIMITS.retentionMinimumMs - 1 },
      { retention: year + 1 },
      { stepTimeout: LIMITS.attemptTimeoutMinimumMs - 1 },
      { stepTimeout: LIMITS.attemptTimeoutMs + 1 },
      { deadline: 0 },
      { deadline: LIMITS.deadlineMs + 1 },
    ]) {
      expect(define(options)).toThrow(RangeError);
      expect(define(options)).toThrow(`Cannot use ${Object.keys(options)[0]} as `);
    }
  });

  it("a deployment takes its bounds, and nothing beyond", () => {
    const workflows = [defineWorkflow({ name: "x" }, async () => 1)];
    const create = (options: object) => () => createDeployment({ workflows, ...options });
    expect(create({ maximumRetryAfter: LIMITS.retryAfterCeilingMs })).not.toThrow();
    expect(create({ maximumRetryAfter: LIMITS.retryAfterCeilingMs + 1 })).toThrow("Cannot use maximumRetryAfter as ");
    expect(create({ maximumValueBytes: LIMITS.valueBytesCeiling })).not.toThrow();
    expect(create({ maximumValueBytes: LIMITS.valueBytesCeiling + 1 })).toThrow("Cannot use maximumValueBytes as ");
  });

  it("patch ids are bounded where they are asked for", async () => {
    const workflow = defineWorkflow<number>({ name: "patches" }, async ({ input, patched }) => {
      try {
        return patched("p".repeat(input));
      } catch (error) {
        return String(error);
      }
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const fits = await host.start(workflow, { input: LIMITS.patchIdLength });
    expect(await fits.outcome()).toEqual({ kind: "completed", value: true });
    const over = await host.start(workflow, { input: LIMITS.patchIdLength + 1 });
    const value = expect.stringContaining(`1 to ${LIMITS.patchIdLength} characters`);
    expect(await over.outcome()).toEqual({ kind: "completed", value });
  });
});
