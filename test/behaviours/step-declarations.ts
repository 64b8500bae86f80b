import { describe, expect, it } from "vitest";
import { createDeployment } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { StepOptions } from "../../src/steps/step-options.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, Hits } from "../support/hits.ts";

const REFUSED_POLICIES: readonly (readonly [number: string, field: string, policy: unknown])[] = [
  ["S4", "maximumAttempts", { maximumAttempts: 0 }],
  ["S4", "maximumAttempts", { maximumAttempts: -1 }],
  ["S4", "maximumAttempts", { maximumAttempts: 1.5 }],
  ["S4", "maximumAttempts", { maximumAttempts: 1001 }],
  ["S4", "maximumAttempts", { maximumAttempts: Number.NaN }],
  ["S4", "maximumAttempts", { maximumAttempts: "3" }],
  ["S5", "maximumDuration", { maximumDuration: 0 }],
  ["S5", "maximumDuration", { maximumDuration: "366d" }],
  ["S6", "initialInterval", { initialInterval: "61m" }],
  ["S6", "maximumInterval", { maximumInterval: "25h" }],
  ["S6", "maximumInterval", { initialInterval: "10s", maximumInterval: "9s" }],
  ["S9", "maximumInterval", { maximumInterval: "500ms" }],
  ["case 8:", "initialInterval", { initialInterval: Number.NaN }],
  ["case 8:", "initialInterval", { initialInterval: -1 }],
  ["case 8:", "initialInterval", { initialInterval: Number.POSITIVE_INFINITY }],
  ["case 8:", "initialInterval", { initialInterval: "5 parsecs" }],
  ["case 8:", "initialInterval", { initialInterval: "" }],
  ["case 8:", "backoffCoefficient", { backoffCoefficient: 0 }],
  ["case 8:", "backoffCoefficient", { backoffCoefficient: 0.5 }],
  ["case 8:", "backoffCoefficient", { backoffCoefficient: Number.NaN }],
];

const REFUSED_DECLARATIONS: readonly (readonly [what: string, step: unknown])[] = [
  ["null", null],
  ["an array", ["a"]],
  ["a number", 5],
  ["no declaration", undefined],
  ["another key", { name: "a", retries: 3 }],
  ["another key of the policy", { name: "a", retryPolicy: { attempts: 3 } }],
  ["an object without a name", { retryPolicy: {} }],
  ["a policy that is null", { name: "a", retryPolicy: null }],
];

/** The declarations that the types refuse are refused to JavaScript as well. */
const declared = (step: unknown) => step as StepOptions;

export function describeStepDeclarations(makeHost: MakeHost): void {
  describe("step declarations", () => {
    /** What the workflow sees of a declaration, and that neither an attempt nor an entry came of it. */
    async function refusalOf(step: unknown, fn?: unknown): Promise<unknown> {
      let seen: unknown;
      const flow = defineWorkflow({ name: "declares" }, async ({ step: { run } }) => {
        // A synchronous throw would leave through here, and fail the run.
        const promise = run(declared(step), (fn ?? hits.ok("refused")) as () => string);
        seen = await errorOf(promise);
        return await run("next", hits.ok("next"));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "next" });
      expect([hits.count("refused"), hits.count("next")]).toEqual([0, 1]);
      const facts = await probe.facts();
      expect(facts.map(({ type }) => type)).toEqual(["started", "attempt-started", "step-completed", "completed"]);
      expect(facts[1]).toMatchObject({ op: 0, name: "next" });
      return seen;
    }

    it("S1 a step is declared by its name alone or by an object with the name and what it overrides", async () => {
      const flow = defineWorkflow({ name: "declares" }, async ({ step }) => [
        await step.run("alone", () => 1),
        await step.run({ name: "object" }, () => 2),
        await step.run({ name: "policy", retryPolicy: { maximumAttempts: 1 }, timeout: "5s" }, () => 3),
      ]);
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [1, 2, 3] });
      const named = (await probe.facts()).flatMap((fact) => ("name" in fact ? [fact.name] : []));
      expect(named).toEqual(["alone", "object", "policy"]);
    });

    it.each(REFUSED_DECLARATIONS)("S1 %s is refused with a TypeError", async (_, step) => {
      expect(await refusalOf(step)).toBeInstanceOf(TypeError);
    });

    it("S2 a fault of the name, the timeout or the function is a rejected promise of that call", async () => {
      expect(await refusalOf("")).toBeInstanceOf(RangeError);
      expect(await refusalOf("x".repeat(129))).toBeInstanceOf(RangeError);
      expect(await refusalOf({ name: "a", timeout: "11m" })).toMatchObject({ message: /timeout/ });
      expect(await refusalOf("a", "no function")).toBeInstanceOf(TypeError);
    });

    it.each(REFUSED_POLICIES)("%s %s of %j is refused by name before any attempt", async (_, field, policy) => {
      const error = await refusalOf({ name: "a", retryPolicy: policy });
      expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
      expect((error as Error).message).toContain(`retryPolicy.${field}`);
    });

    it("S4 S5 S6 the bounds themselves are accepted", async () => {
      const flow = defineWorkflow({ name: "bounds" }, async ({ step }) => {
        for (const retryPolicy of [
          { maximumAttempts: 1 },
          { maximumAttempts: 1000 },
          { maximumDuration: 1 },
          { maximumDuration: "365d" },
          { initialInterval: 0 },
          { initialInterval: "1h", maximumInterval: "1d" },
        ] as const) {
          await step.run({ name: "a", retryPolicy }, () => 0);
        }
        return "accepted";
      });
      const host = makeHost({ workflows: [flow] });
      expect(await (await host.start(flow)).outcome()).toEqual({ kind: "completed", value: "accepted" });
    });

    it("S9 a declared maximumInterval below the inherited initial interval is refused", async () => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "inherits", retryPolicy: { initialInterval: "20s" } }, async ({ step }) => {
        seen = await errorOf(step.run({ name: "a", retryPolicy: { maximumInterval: "10s" } }, () => 0));
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(seen).toBeInstanceOf(RangeError);
      expect((seen as Error).message).toMatch(/maximumInterval.*20000 ms.*10000/);
    });

    it("S24 an invalid policy of a deployment or of a workflow never falls back silently", () => {
      const slow = defineWorkflow({ name: "slow", retryPolicy: { maximumInterval: "10s" } }, async () => 0);
      expect(() => createDeployment({ workflows: [slow] })).not.toThrow();
      expect(() => createDeployment({ workflows: [slow], retryPolicy: { maximumAttempts: 0 } })).toThrow(RangeError);
      expect(() => createDeployment({ workflows: [slow], retryPolicy: { initialInterval: "20s" } })).toThrow(
        /workflows\[0\]\.retryPolicy\.maximumInterval/,
      );
      expect(() => {
        return defineWorkflow({ name: "faulty", retryPolicy: { backoffCoefficient: 0.5 } }, async () => 0);
      }).toThrow(RangeError);
    });
  });
}
