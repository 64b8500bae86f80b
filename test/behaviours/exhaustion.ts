import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { DeclaredError, HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

const SECRET = "the password is hunter2";

export function describeExhaustion(makeHost: MakeHost): void {
  describe("exhaustion", () => {
    it("S37 S38 a spent step throws an error that the workflow can recognise, handle and go on from", async () => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "handles" }, async ({ step, exhausted }) => {
        seen = await errorOf(step.run({ name: "pay", retryPolicy: every("1s", 2) }, hits.failing("pay")));
        return [exhausted(seen), await step.run("pay-later", hits.ok("pay-later"))];
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, "pay-later"] });
      expect(seen).toMatchObject({ name: "StepExhausted", step: "pay", attempts: 2 });
      expect((seen as Error).message).toBe("Workflow Step pay exhausted its retries.");
    });

    it("S38 S44 what the last attempt threw is the error's cause and stands in the journal, never in message or outcome", async () => {
      let cause: unknown;
      const flow = defineWorkflow({ name: "secret" }, async ({ step }) => {
        const retryPolicy = { maximumAttempts: 1 };
        try {
          await step.run({ name: "leaks", retryPolicy }, () => {
            throw new RangeError(SECRET, { cause: new Error(SECRET) });
          });
        } catch (error) {
          ({ cause } = error as Error);
          throw error;
        }
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      expect(cause).toMatchObject({ name: "RangeError", message: SECRET });
      const view = await probe.view();
      expect(view.outcome).toBeDefined();
      expect(JSON.stringify(view)).not.toContain("hunter2");
      const failed = (await probe.facts()).find(({ type }) => type === "attempt-failed");
      expect(failed).toMatchObject({ failure: { name: "RangeError", message: SECRET } });
    });

    it("S39 the refusal of the last attempt is carried by its codes alone, through up to eight causes", async () => {
      const errors: unknown[] = [];
      const flow = defineWorkflow({ name: "refused" }, async ({ step }) => {
        const spend = async (name: string, throwAt: (attempt: number) => unknown) => {
          const run = step.run({ name, retryPolicy: every(0, 2) }, ({ attempt }) => {
            throw throwAt(attempt);
          });
          errors.push(await errorOf(run));
        };
        await spend("last", (attempt) => (attempt === 2 ? wrapped(8) : new Error("outage")));
        await spend("earlier", (attempt) => (attempt === 1 ? wrapped(1) : new Error("outage")));
        await spend("too-deep", () => wrapped(9));
        await spend("odd-code", () => wrapped(1, "no code"));
      });
      const host = makeHost({ workflows: [flow] });
      await host.start(flow);
      expect(errors.map((error) => (error as StepExhausted).refusal)).toEqual([
        { status: 503, code: "BUSY" },
        undefined,
        undefined,
        { status: 503 },
      ]);
      expect(errors.map((error) => Object.hasOwn(error as object, "refusal"))).toEqual([true, false, false, true]);
    });

    it("S40 uncaught it ends the execution as failed with STEP_EXHAUSTED and its details", async () => {
      const flow = defineWorkflow({ name: "uncaught" }, async ({ step }) => {
        await step.run({ name: "call", retryPolicy: every("1s", 3) }, () => {
          throw wrapped(1);
        });
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "failed",
        declared: false,
        code: "STEP_EXHAUSTED",
        message: "Workflow Step call exhausted its retries.",
        details: { step: "call", attempts: 3, refusal: { status: 503, code: "BUSY" } },
      });
    });

    it("S41 a replay throws the same error, guard and class alike, after any restart", async () => {
      const seen: unknown[] = [];
      const flow = defineWorkflow({ name: "replays" }, async ({ step, sleep, exhausted }) => {
        const error = await errorOf(step.run({ name: "x", retryPolicy: every("1s", 2) }, hits.failing("x")));
        const { name, step: of, attempts, cause } = error as StepExhausted;
        seen.push({
          guards: [exhausted(error), StepExhausted.is(error), error instanceof StepExhausted],
          fields: [name, of, attempts, String(cause)],
          text: String(error),
          keys: Object.keys(error as object).toSorted(),
        });
        for (let i = 0; i < 3; i += 1) await sleep("1m");
        return exhausted(error);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      for (let i = 0; i < 4; i += 1) {
        await host.advance(60_000);
        await probe.evict();
      }
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: true });
      expect(hits.count("x")).toBe(2);
      expect(seen.length).toBeGreaterThanOrEqual(3);
      for (const one of seen) expect(one).toEqual(seen[0]);
      expect(seen[0]).toMatchObject({
        guards: [true, true, true],
        fields: ["StepExhausted", "x", 2, "Error: x fails"],
      });
    });

    it("S42 rethrown inside a later step it is terminal there and stays the first step's", async () => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "rethrows" }, async ({ step }) => {
        const first = await errorOf(step.run({ name: "first", retryPolicy: every("1s", 2) }, hits.failing("first")));
        seen = await errorOf(
          step.run("second", () => {
            hits.add("second");
            throw first;
          }),
        );
        throw seen;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.count("second")).toBe(1);
      expect(seen).toMatchObject({ name: "StepExhausted", step: "first", attempts: 2 });
      expect(await probe.outcome()).toMatchObject({ code: "STEP_EXHAUSTED", details: { step: "first", attempts: 2 } });
    });

    it("S43 a declared error may also use the code STEP_EXHAUSTED, and the two are told apart", async () => {
      const seen: boolean[][] = [];
      const options = { name: "declares", errors: { STEP_EXHAUSTED: staticSchema<{ mine: boolean }>() } };
      const flow = defineWorkflow(options, async ({ step, errors, exhausted }) => {
        const engine = await errorOf(step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, hits.failing("x")));
        const own = await errorOf(
          step.run("y", () => {
            throw errors.STEP_EXHAUSTED({ mine: true }, "mine");
          }),
        );
        for (const error of [engine, own]) seen.push([exhausted(error), errors.STEP_EXHAUSTED.is(error)]);
        throw own;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(seen).toEqual([
        [true, false],
        [false, true],
      ]);
      expect(await probe.outcome()).toEqual({
        kind: "failed",
        declared: true,
        code: "STEP_EXHAUSTED",
        message: "mine",
        details: { mine: true },
      });
    });

    it("S45 a declared error thrown in a step is terminal, journaled and rebuilt on replay as it was thrown live", async () => {
      const seen: unknown[] = [];
      const options = { name: "terminal", errors: { OUT_OF_STOCK: staticSchema<{ sku: string; at: Date }>() } };
      const flow = defineWorkflow(options, async ({ step, sleep, errors }) => {
        const error = await errorOf(
          step.run("reserve", () => {
            hits.add("reserve");
            throw errors.OUT_OF_STOCK({ sku: "a", at: new Date(5) }, "none left");
          }),
        );
        seen.push([errors.OUT_OF_STOCK.is(error), DeclaredError.is(error), { ...(error as object) }, String(error)]);
        await sleep("1m");
        throw error;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await probe.evict();
      await host.runToEnd();
      expect(hits.at("reserve")).toEqual([0]);
      expect(seen).toHaveLength(2);
      expect(seen[0]).toEqual([
        true,
        true,
        { code: "OUT_OF_STOCK", details: { sku: "a", at: new Date(5) } },
        "DeclaredError: none left",
      ]);
      expect(seen[1]).toEqual(seen[0]);
      expect(await probe.outcome()).toMatchObject({
        kind: "failed",
        declared: true,
        code: "OUT_OF_STOCK",
        message: "none left",
      });
    });

    it.each([
      ["", () => new NonRetryableError("")],
      ["undefined", () => new NonRetryableError(undefined as unknown as string)],
      ["one with a cause", () => new NonRetryableError("", { cause: new Error("why") })],
    ])("case 18: a NonRetryableError is terminal whatever its message: %s", async (_, make) => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "non-retryable" }, async ({ step }) => {
        seen = await errorOf(
          step.run("x", () => {
            hits.add("x");
            throw make();
          }),
        );
        throw seen;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(hits.count("x")).toBe(1);
      expect(NonRetryableError.is(seen) && seen instanceof NonRetryableError).toBe(true);
      expect(await probe.outcome()).toMatchObject({
        kind: "failed",
        declared: false,
        code: "NON_RETRYABLE",
        message: "",
      });
    });
  });
}

/** A refusal under so many errors. */
function wrapped(depth: number, code = "BUSY"): Error {
  let error: Error = new HttpRefusal(503, SECRET, code);
  for (let i = 0; i < depth; i += 1) error = new Error("outage", { cause: error });
  return error;
}
