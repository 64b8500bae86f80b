import { describe, expect, it } from "vitest";
import type { DeploymentOptions } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { HttpRefusal, NonRetryableError, RetryableError, StepExhausted } from "../../src/steps/errors.ts";
import { retryAfter } from "../../src/steps/retry-after.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import type { MakeHost } from "../support/host.ts";
import { every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Prescribing {
  readonly retryPolicy?: RetryPolicy;
  readonly deployment?: DeploymentOptions;
  /** What an attempt throws; nothing: it succeeds. */
  readonly throws: (attempt: number, now: number) => unknown;
}

interface Prescribed {
  readonly at: readonly number[];
  readonly error: unknown;
  readonly startedAt: number;
}

export function describeRetryAfter(makeHost: MakeHost): void {
  /** Runs one step to its end. */
  async function run({ retryPolicy, deployment, throws }: Prescribing): Promise<Prescribed> {
    let error: unknown;
    const flow = defineWorkflow({ name: "prescribes" }, async ({ step }) => {
      try {
        await step.run(retryPolicy === undefined ? "x" : { name: "x", retryPolicy }, ({ attempt }) => {
          hits.add("x");
          const thrown = throws(attempt, host.now());
          if (thrown !== undefined) throw thrown;
        });
      } catch (caught) {
        error = caught;
      }
    });
    const host = makeHost({ workflows: [flow], ...deployment });
    const startedAt = host.now();
    const hits = new Hits(host);
    await host.start(flow);
    await host.runToEnd();
    return { at: hits.at("x"), error, startedAt };
  }

  /** When the second attempt starts, after one that asked for `delay`. */
  async function delayOf(delay: (now: number) => Parameters<typeof retryAfter>[0]): Promise<number | undefined> {
    const { at } = await run({ throws: (attempt, now) => (attempt === 1 ? retryAfter(delay(now)) : undefined) });
    expect(at.length).toBe(2);
    return at[1];
  }

  const httpDate = (at: number) => new Date(at).toUTCString();

  describe("retryAfter", () => {
    it("S29 the next attempt starts no earlier than the delay says, in any of its forms", async () => {
      expect(await delayOf(() => 90_000)).toBe(90 * SECOND);
      expect(await delayOf(() => "5m")).toBe(5 * MINUTE);
      expect(await delayOf(() => "120")).toBe(120 * SECOND);
      expect(await delayOf((now) => new Date(now + 30 * MINUTE))).toBe(30 * MINUTE);
      expect(await delayOf((now) => httpDate(now + 30 * MINUTE))).toBe(30 * MINUTE);
    });

    it("S30 an hour is within the bound, to the millisecond", async () => {
      expect(await delayOf(() => HOUR)).toBe(HOUR);
    });

    it.each<readonly [string, (now: number) => Parameters<typeof retryAfter>[0], number]>([
      ["milliseconds", () => HOUR + 1, HOUR + 1],
      ["a duration", () => "2h", 2 * HOUR],
      ["a header of seconds", () => "7200", 2 * HOUR],
      ["a Date", (now) => new Date(now + 2 * HOUR), 2 * HOUR],
      ["a header with a date", (now) => httpDate(now + 2 * HOUR), 2 * HOUR],
    ])(
      "S30 over the bound the step is spent at once, with the time that was asked for: %s",
      async (_, delay, afterMs) => {
        const { at, error, startedAt } = await run({ throws: (__, now) => retryAfter(delay(now)) });
        expect(at).toEqual([0]);
        expect(StepExhausted.is(error)).toBe(true);
        expect(error).toMatchObject({ attempts: 1, retryAt: startedAt + afterMs });
      },
    );

    it("S30 the deployment can raise the bound", async () => {
      const throws = (attempt: number) => (attempt === 1 ? retryAfter("3d") : undefined);
      const { at } = await run({ deployment: { maximumRetryAfter: "4d" }, throws });
      expect(at).toEqual([0, 3 * DAY]);
    });

    it.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], [{}], [new Date(Number.NaN)]])(
      "S30 what is no time at all is a TypeError from the call, terminal in the step: %o",
      async (delay) => {
        const { at, error } = await run({ throws: () => retryAfter(delay as number) });
        expect(at).toEqual([0]);
        expect(NonRetryableError.is(error)).toBe(true);
        expect(error).toMatchObject({ code: "NON_RETRYABLE", cause: { name: "TypeError", message: /retryAfter/ } });
      },
    );

    it("S31 its message is the cause's, else says so itself, and it has a cause only if one was given", async () => {
      const messages: unknown[] = [];
      const flow = defineWorkflow({ name: "messages" }, async ({ step, retryAfter: after }) => {
        await step.run({ name: "x", retryPolicy: every("1s", 3) }, ({ attempt, lastFailure }) => {
          messages.push(lastFailure?.message);
          if (attempt < 3) throw attempt === 1 ? after(1500) : after(10, new Error("the service is busy"));
        });
      });
      const host = makeHost({ workflows: [flow] });
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(messages).toEqual([undefined, "Workflow Step asked to retry after 1500 ms.", "the service is busy"]);
      const causes = (await probe.facts()).flatMap((fact) =>
        fact.type === "attempt-failed" ? [fact.failure.causes] : [],
      );
      expect(causes).toEqual([undefined, [{ name: "Error", message: "the service is busy" }]]);
    });

    it("S32 it replaces the backoff, shorter or longer, without cap and jitter", async () => {
      const retryPolicy = { initialInterval: "10s", maximumInterval: "20s", maximumAttempts: 5, jitter: 1 } as const;
      const shorter = await run({ retryPolicy, throws: (n) => (n === 1 ? retryAfter(7) : undefined) });
      expect(shorter.at).toEqual([0, 7]);
      const longer = await run({ retryPolicy, throws: (n) => (n === 1 ? retryAfter("50m") : undefined) });
      expect(longer.at).toEqual([0, 50 * MINUTE]);
      expect(await delayOf(() => 0)).toBe(0);
    });

    it("S33 the attempt counts, and on the last one the step is exhausted without waiting", async () => {
      let endedAt = Number.NaN;
      const flow = defineWorkflow({ name: "last" }, async ({ step }) => {
        try {
          await step.run({ name: "x", retryPolicy: { maximumAttempts: 2 } }, () => {
            hits.add("x");
            throw retryAfter("10m");
          });
        } finally {
          endedAt = hits.now;
        }
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(hits.at("x")).toEqual([0, 10 * MINUTE]);
      expect(endedAt).toBe(10 * MINUTE);
      expect(await probe.outcome()).toMatchObject({ code: "STEP_EXHAUSTED", details: { step: "x", attempts: 2 } });
    });

    it("S34 case 13: the next ordinary failure's delay follows the attempts made so far", async () => {
      const retryPolicy = {
        initialInterval: "1s",
        backoffCoefficient: 2,
        maximumInterval: "30s",
        maximumAttempts: 5,
      } as const;
      const { at, error } = await run({
        retryPolicy,
        throws: (n) => (n === 1 ? retryAfter(90_000) : new Error("fails")),
      });
      expect(at).toEqual([0, 90, 92, 96, 104].map((s) => s * SECOND));
      expect(error).toMatchObject({ name: "StepExhausted", attempts: 5 });
    });

    it("S36 a terminal error comes before a prescribed delay", async () => {
      class Fatal extends RetryableError {
        override readonly name = "Fatal";
      }
      const retryPolicy = { nonRetryableErrors: ["Fatal"] };
      const { at, error } = await run({ retryPolicy, throws: () => new Fatal("no", { retryAfter: 5 }) });
      expect(at).toEqual([0]);
      expect(error).toMatchObject({ name: "NonRetryableError", code: "NON_RETRYABLE" });
      const cause = retryAfter(5);
      const wrapped = await run({ throws: () => new NonRetryableError("no", { cause }) });
      expect(wrapped.at).toEqual([0]);
    });

    it("S36 only the thrown error itself prescribes a delay, not one among its causes", async () => {
      const cause = retryAfter("50m");
      const { at } = await run({ throws: (n) => (n === 1 ? new Error("outer", { cause }) : undefined) });
      expect(at).toEqual([0, SECOND]);
    });

    it("S35 a delay that was prescribed for a refusal keeps the refusal when the budget is spent", async () => {
      const refusal = new HttpRefusal(429, { wait: true }, "SLOW_DOWN");
      const { at, error } = await run({ retryPolicy: every("1s", 2), throws: () => retryAfter("5s", refusal) });
      expect(at).toEqual([0, 5000]);
      expect(error).toMatchObject({ name: "StepExhausted", refusal: { status: 429, code: "SLOW_DOWN" } });
    });

    it.each([["-3"], ["+3"], ["1.5"], [""], ["0x10"], ["1e3"], ["soon"], [null]])(
      "case 11: an unreadable header prescribes nothing: %j",
      async (header) => expect(await delayOf(() => header)).toBe(SECOND),
    );

    it("case 11: a header is read without the spaces around it", async () => {
      expect(await delayOf(() => " 120 ")).toBe(120 * SECOND);
    });

    it("case 12: a moment that has passed is now, and the attempt counts", async () => {
      const { at, error } = await run({
        retryPolicy: every("1s", 3),
        throws: (n, now) => retryAfter(n === 1 ? httpDate(now - HOUR) : new Date(now - HOUR)),
      });
      expect(at).toEqual([0, 0, 0]);
      expect(error).toMatchObject({ name: "StepExhausted", attempts: 3 });
    });

    it.each([["99999999999"], [httpDate(Date.UTC(2300, 0, 1))], [Number.MAX_VALUE]])(
      "case 12: an absurd delay spends the step at once: %j",
      async (delay) => {
        const { at, error } = await run({ throws: () => retryAfter(delay) });
        expect(at).toEqual([0]);
        expect(StepExhausted.is(error)).toBe(true);
        expect((error as StepExhausted).retryAt).toBeGreaterThan(Date.UTC(2299, 0, 1));
      },
    );
  });
}
