import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";

const MIB = 1_024 * 1_024;
const signals = { s: staticSchema<string>(), go: staticSchema<number>() };

/** Text that shows where a piece of it is missing or cut. */
function textOf(bytes: number): string {
  return Array.from({ length: Math.ceil(bytes / 8) }, (_, i) => i.toString(36).padStart(8, "."))
    .join("")
    .slice(0, bytes);
}

export function describeLargeValues(makeHost: MakeHost): void {
  describe("large values", () => {
    it.each([
      { size: "64 KiB", bytes: 65_536 },
      { size: "1.9 MiB", bytes: 1.9 * MIB },
      { size: "2.1 MiB", bytes: 2.1 * MIB },
      { size: "8 MiB", bytes: 8 * MIB },
    ])(
      "case 101: $size of text come through step, signal and result whole, also after an eviction",
      async ({ bytes }) => {
        const text = textOf(Math.floor(bytes));
        const workflow = defineWorkflow({ name: "large", signals }, async ({ step, awaitSignal }) => {
          const made = await step.run("make", () => text);
          const { value } = await awaitSignal("s");
          await awaitSignal("go");
          return made === text && value === text ? text : "differs";
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        expect(await probe.signal("s", text)).toBe("accepted");
        await probe.evict();
        await probe.signal("go", 1);
        const outcome = await probe.outcome();
        expect(outcome?.kind === "completed" && outcome.value === text).toBe(true);
        expect((await probe.view()).state).toBe("completed");
      },
    );

    it("case 101: a value over the bound ends the step at once, with an error that the code can catch", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "over", signals }, async ({ step }) => {
        const over = step.run("over", ({ attempt }) => {
          hits.push(attempt);
          return "x".repeat(1_025);
        });
        const caught = await over.catch((error: unknown) => NonRetryableError.is(error) && [error.code, error.message]);
        return [caught, (await step.run("exact", () => "x".repeat(1_024))).length];
      });
      const host = makeHost({ workflows: [workflow], maximumValueBytes: 1_024 });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [["VALUE_TOO_LARGE", expect.stringContaining("1024")], 1_024],
      });
      expect(hits).toEqual([1]);
    });

    it("a value over 8 MiB is over the default bound", async () => {
      const workflow = defineWorkflow({ name: "default" }, async ({ step }) => {
        await step.run("over", () => new Uint8Array(8 * MIB + 1));
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "VALUE_TOO_LARGE" });
    });

    it("case 98: case 97: a message of ten thousand lions is cut between characters, and the execution fails normally", async () => {
      const workflow = defineWorkflow({ name: "lions", retryPolicy: { maximumAttempts: 1 } }, async ({ step }) => {
        return await step.run("roar", () => {
          throw new Error("🦁".repeat(10_000));
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
      const failed = (await probe.facts()).find((fact) => fact.type === "attempt-failed");
      const message = failed?.type === "attempt-failed" ? failed.failure.message : "";
      expect(message).toMatch(/^(?:🦁)+/u);
      expect(message.isWellFormed()).toBe(true);
      expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(8 * 1_024);
    });

    it("case 103: what is nested too deep ends its step with an error, and the execution goes on", async () => {
      const deep = (levels: number) => {
        let value: unknown = "bottom";
        for (let i = 0; i < levels; i += 1) value = [value];
        return value;
      };
      const workflow = defineWorkflow({ name: "deep", signals }, async ({ step, awaitSignal }) => {
        const shallow = await step.run("shallow", () => deep(100));
        const caught = await step
          .run("deep", () => deep(20_000))
          .catch((error: unknown) => NonRetryableError.is(error));
        await awaitSignal("go");
        return [JSON.stringify(shallow).length, caught];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [208, true] });
    });

    it("case 96: details of declared errors keep their keys and their types", async () => {
      const details = { first_name: 1, at: new Date(5), n: { a_b: new Map([["x-y", 2n]]) } };
      const errors = { BAD: staticSchema<typeof details>() };
      const workflow = defineWorkflow({ name: "details", errors }, async ({ step, errors: { BAD } }) => {
        await step.run("x", () => {
          throw BAD(details);
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toStrictEqual({
        kind: "failed",
        declared: true,
        code: "BAD",
        message: "BAD",
        details,
      });
    });

    it("progress is the latest value set, and a replay sets none again", async () => {
      const workflow = defineWorkflow({ name: "progress", signals }, async ({ setProgress, step, awaitSignal }) => {
        setProgress({ done: 1 });
        await step.run("a", () => 1);
        setProgress({ done: 2 });
        await awaitSignal("go");
        setProgress({ done: 3 });
        await awaitSignal("s");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const progressFacts = async () => (await probe.facts()).filter(({ type }) => type === "progress").length;
      expect(await progressFacts()).toBe(2);
      await probe.evict();
      await probe.ring();
      expect(await progressFacts()).toBe(2);
      await probe.signal("go", 1);
      expect(await progressFacts()).toBe(3);
      expect((await probe.view()).progress).toContain("3");
    });
  });
}
