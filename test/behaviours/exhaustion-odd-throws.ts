import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { StepExhausted } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

class Unreadable extends Error {
  override get message(): string {
    throw new Error("This message cannot be read.");
  }
}

/** What a step throws, and the message that operators see of it. */
const ODD: readonly (readonly [what: string, thrown: () => unknown, message: RegExp])[] = [
  ["a string", () => "odd", /^odd$/],
  ["null", () => null, /null/],
  ["undefined", () => undefined, /undefined/],
  ["a plain object", () => ({ code: 1 }), /"code":1/],
  ["an error with a throwing message getter", () => new Unreadable(), /./],
  ["a function", () => () => 0, /./],
  ["a symbol", () => Symbol("odd"), /./],
  ["an error that is its own cause", () => selfCaused(), /^mine$/],
];

export function describeOddThrows(makeHost: MakeHost): void {
  describe("odd throws", () => {
    it.each(ODD)(
      "case 116: %s is retried as any failure, and seen alike live and on replay",
      async (_, thrown, message) => {
        const seen: unknown[] = [];
        const flow = defineWorkflow({ name: "odd" }, async ({ step, sleep }) => {
          const run = step.run({ name: "x", retryPolicy: every("1s", 3) }, () => {
            hits.add("x");
            throw thrown();
          });
          const error = (await errorOf(run)) as StepExhausted;
          seen.push({ ...shown(error), cause: shown(error.cause) });
          await sleep("1m");
          throw error;
        });
        const host = makeHost({ workflows: [flow] });
        const hits = new Hits(host);
        const probe = await host.start(flow);
        await host.advance(5_000);
        await probe.evict();
        await host.runToEnd();
        expect(hits.at("x")).toEqual([0, 1000, 2000]);
        expect(seen).toHaveLength(2);
        expect(seen[1]).toEqual(seen[0]);
        expect(seen[0]).toMatchObject({
          exhausted: true,
          text: "StepExhausted: Workflow Step x exhausted its retries.",
        });
        expect((await probe.view()).reason?.code).toBe("STEP_EXHAUSTED");
        const failures = (await probe.facts()).flatMap((fact) =>
          fact.type === "attempt-failed" ? [fact.failure] : [],
        );
        expect(failures).toHaveLength(3);
        for (const failure of failures) expect(failure.message).toMatch(message);
      },
    );

    it("case 116: a rejection is as good as a throw", async () => {
      const flow = defineWorkflow({ name: "rejects" }, async ({ step }) => {
        return await step.run({ name: "x", retryPolicy: every("1s", 2) }, async ({ attempt }) => {
          await host.delay(10);
          if (attempt === 1) throw "odd";
          return "done";
        });
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
    });

    it("case 116: an odd throw of the workflow's own code is a failure of the run", async () => {
      const flow = defineWorkflow({ name: "odd-run", retryPolicy: every("1s", 2) }, async () => {
        hits.add("run");
        throw null;
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      const { state, reason } = await probe.view();
      expect([hits.count("run"), state, reason?.code]).toEqual([2, "paused", "RUN_FAILED"]);
    });
  });
}

function selfCaused(): Error {
  const error = new Error("mine");
  error.cause = error;
  return error;
}

/** All of an error that the workflow's code can see, as plain data. */
function shown(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error, text: String(error), json: JSON.stringify(error) };
  const { name, message } = error;
  return {
    exhausted: StepExhausted.is(error),
    name,
    message,
    text: String(error),
    keys: Object.keys(error).toSorted(),
  };
}
