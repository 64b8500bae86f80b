import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Duration } from "../../src/steps/duration.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const signals = { s: staticSchema<string>() };

/** What a workflow sees that awaits something which may be refused: the error's name and its message. */
async function refusal(refused: () => Promise<unknown>): Promise<string> {
  try {
    await refused();
    return "settled";
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return error.message;
  }
}

export function describeSleeps(makeHost: MakeHost): void {
  describe("sleeps", () => {
    it("case 51: a duration that is none is refused at the call, and nothing of it is journaled", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "nonsense", signals }, async ({ sleep, awaitSignal, step }) => {
        const messages: string[] = [];
        for (const value of [Number.NaN, Infinity, "x", undefined, null, {}]) {
          // The cast: what a caller without types may pass.
          messages.push(await refusal(() => sleep(value as Duration)));
        }
        messages.push(await refusal(() => awaitSignal("s", { timeout: Number.NaN })));
        messages.push(await refusal(() => awaitSignal("s", { timeout: -1 })));
        await step.run("after", () => void hits.push("after"));
        return messages;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const outcome = await probe.outcome();
      const messages = outcome?.kind === "completed" ? (outcome.value as string[]) : [];
      expect(messages).toHaveLength(8);
      for (const message of messages.slice(0, 6)) expect(message).toContain("the duration of sleep");
      for (const message of messages.slice(6)) expect(message).toContain("timeout");
      expect(hits).toEqual(["after"]);
      const types = (await probe.facts()).map(({ type }) => type);
      expect(types).toEqual(["started", "attempt-started", "step-completed", "completed"]);
    });

    it("S52 a sleep lasts up to 365 days, to the millisecond", async () => {
      const workflow = defineWorkflow({ name: "year" }, async ({ sleep, now, execution }) => {
        const refused = await refusal(() => sleep(365 * DAY_MS + 1));
        await sleep("365d");
        return [refused, now() - execution.startedAt];
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      expect(await probe.alarm()).toBe(start + 365 * DAY_MS);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [expect.stringContaining("365 days"), 365 * DAY_MS],
      });
    });

    it("case 46: what lies beyond 365 days is refused with an error that the code can catch", async () => {
      const workflow = defineWorkflow({ name: "far" }, async ({ sleep, sleepUntil, now }) => [
        await refusal(() => sleep(10 * 365 * DAY_MS)),
        await refusal(() => sleep("200000d")),
        await refusal(() => sleepUntil(new Date(8.64e15))),
        await refusal(() => sleepUntil(new Date(Number.NaN))),
        await refusal(() => sleepUntil(now() + 366 * DAY_MS)),
      ]);
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const far = expect.stringContaining("365 days");
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [far, far, far, expect.stringContaining("valid Date"), far],
      });
    });

    it.each([
      { first: 5, later: -5, lasts: 5 },
      { first: -5, later: 5_000, lasts: 0 },
    ])(
      "case 52: a sleep of $first that is $later on replay keeps its recorded time",
      async ({ first, later, lasts }) => {
        let duration = first;
        const workflow = defineWorkflow({ name: "sign", signals }, async ({ sleep, awaitSignal, now, execution }) => {
          await sleep(duration);
          const at = now() - execution.startedAt;
          await awaitSignal("s");
          return at;
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        duration = later;
        await probe.evict();
        await host.advance(SECOND_MS);
        await probe.evict();
        await probe.signal("s", "go");
        expect(await probe.outcome()).toEqual({ kind: "completed", value: lasts });
      },
    );

    it("settles a sleep of zero, of less and until a past moment at once, and journals each", async () => {
      const workflow = defineWorkflow({ name: "past" }, async ({ sleep, sleepUntil, now }) => {
        await sleep(0);
        await sleep("-3 days");
        await sleepUntil(now() - DAY_MS);
        await sleepUntil(new Date(now()));
        return "over";
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "over" });
      const types = (await probe.facts()).map(({ type }) => type);
      expect(types.filter((type) => type === "timer-set")).toHaveLength(4);
      expect(types.filter((type) => type === "timer-fired")).toHaveLength(4);
    });

    it("case 53: a sleep of half a second lasts half a second", async () => {
      const workflow = defineWorkflow({ name: "half" }, async ({ sleep, now, execution }) => {
        await sleep(500);
        return now() - execution.startedAt;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(499);
      expect(await probe.outcome()).toBeUndefined();
      await host.advance(1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 500 });
    });

    it("case 56: a timeout counts from when the wait began, not from the last replay", async () => {
      const workflow = defineWorkflow({ name: "once", signals }, async ({ awaitSignal, now, execution }) => {
        const { received } = await awaitSignal("s", { timeout: "60s" });
        return [received, now() - execution.startedAt];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      for (let round = 0; round < 5; round += 1) {
        await host.advance(10 * SECOND_MS);
        await probe.evict();
        await probe.ring();
        expect((await probe.view()).state).toBe("waiting");
      }
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [false, MINUTE_MS] });
    });

    it("case 57: a sleep whose object is lost right after it began still lasts", async () => {
      const workflow = defineWorkflow({ name: "lost" }, async ({ sleep, now, execution }) => {
        await sleep("60s");
        return now() - execution.startedAt;
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.ring();
      expect((await probe.view()).state).toBe("waiting");
      expect(await probe.alarm()).toBe(start + MINUTE_MS);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: MINUTE_MS });
    });

    it("case 58: each wait of a loop has its own timeout", async () => {
      const workflow = defineWorkflow({ name: "loop", signals }, async ({ awaitSignal, now, execution }) => {
        const at: number[] = [];
        for (let i = 0; i < 3; i += 1) {
          await awaitSignal("s", { timeout: "10s" });
          at.push(now() - execution.startedAt);
        }
        return at;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [10_000, 20_000, 30_000] });
    });

    it("case 61: a day is 86,400,000 ms on whatever day, and a date without a zone is refused", async () => {
      const workflow = defineWorkflow({ name: "day" }, async ({ sleep, sleepUntil, now }) => {
        const refused = await refusal(() => sleepUntil("2026-03-29T02:30" as unknown as Date));
        const from = now();
        await sleep("24h");
        return [refused, now() - from];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [expect.stringContaining("the date of sleepUntil"), DAY_MS],
      });
    });

    it("case 63: a sleep that was over while the object could not run ends at the first touch, once", async () => {
      const workflow = defineWorkflow({ name: "down" }, async ({ sleep, now, execution }) => {
        await sleep("10s");
        return now() - execution.startedAt;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(5 * SECOND_MS);
      await probe.evict();
      await probe.spoilAlarm(undefined);
      await host.advance(25 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 30_000 });
      expect((await probe.facts()).filter(({ type }) => type === "timer-fired")).toHaveLength(1);
    });

    it("case 31: a wait that is due a millisecond sooner moves the alarm by it", async () => {
      const workflow = defineWorkflow({ name: "sooner", signals }, async ({ sleep, awaitSignal }) => {
        const after = async () => {
          await awaitSignal("s");
          await sleep(500);
        };
        await Promise.all([sleep(6_001), after()]);
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      await host.advance(5_500);
      expect(await probe.alarm()).toBe(start + 6_001);
      await probe.signal("s", "now");
      expect(await probe.alarm()).toBe(start + 6_000);
    });

    it("names in the view what it waits for, until when and by which rule", async () => {
      const workflow = defineWorkflow({ name: "why", signals }, async ({ sleep, awaitSignal, step }) => {
        const flaky = { name: "flaky", retryPolicy: { initialInterval: "3s", maximumAttempts: 4 } } as const;
        await Promise.all([
          sleep("10s"),
          sleep("20s"),
          awaitSignal("s", { timeout: "5s" }),
          awaitSignal("s"),
          step.run(flaky, () => Promise.reject(new Error("no"))),
        ]);
      });
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      const { waitingFor, nextWakeAt } = await probe.view();
      expect(nextWakeAt).toBe(start + 3_000);
      expect(waitingFor).toEqual([
        { kind: "retry", name: "flaky", until: start + 3_000, because: "backoff after attempt 1 of 4" },
        { kind: "signal", name: "s", until: start + 5_000, because: "timeout" },
        { kind: "sleep", name: "sleep", until: start + 10_000, because: "sleep" },
        { kind: "sleep", name: "sleep#2", until: start + 20_000, because: "sleep" },
        { kind: "signal", name: "s#2", because: "no timeout" },
      ]);
    });
  });
}
