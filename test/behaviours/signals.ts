import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;
const signals = { s: staticSchema<string>(), t: staticSchema<string>() };

export function describeSignals(makeHost: MakeHost): void {
  describe("signals", () => {
    it("S53 signals sent before the wait are kept, and taken in the order of their arrival", async () => {
      const workflow = defineWorkflow({ name: "before", signals }, async ({ step, awaitSignal }) => {
        await step.run("work", () => host.delay(5 * SECOND_MS));
        const values: string[] = [];
        for (let i = 0; i < 4; i += 1) values.push((await awaitSignal(i === 2 ? "t" : "s")).value);
        return values;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      for (const value of ["1", "2", "3"]) expect(await probe.signal("s", value)).toBe("accepted");
      await probe.signal("t", "other");
      expect((await probe.view()).unreadSignals).toBe(4);
      await host.advance(5 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["1", "2", "other", "3"] });
      expect((await probe.view()).unreadSignals).toBe(0);
    });

    it("S52 a signal's name has up to 128 characters and must be declared, and a timeout is an outcome", async () => {
      const name = "n".repeat(128);
      const declared = { [name]: staticSchema<string>() };
      const workflow = defineWorkflow({ name: "names", signals: declared }, async ({ awaitSignal }) => {
        const refusals: boolean[] = [];
        for (const bad of [`${name}n`, "", "undeclared", "toString"]) {
          refusals.push(
            await awaitSignal(bad).then(
              () => false,
              (error: unknown) => error instanceof TypeError || error instanceof RangeError,
            ),
          );
        }
        return [refusals, await awaitSignal(name, { timeout: "1s" }), await awaitSignal(name)];
      });
      expect(() => defineWorkflow({ name: "long", signals: { [`${name}n`]: staticSchema() } }, async () => {})).toThrow(
        "128",
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS);
      await probe.signal(name, "x");
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [[true, true, true, true], { received: false }, { received: true, value: "x" }],
      });
    });

    it.each([false, true])(
      "S75 a signal that comes while the execution goes to rest is received (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow({ name: "racing", signals }, async ({ step, awaitSignal }) => {
          await step.run("work", () => host.delay(SECOND_MS));
          return (await awaitSignal("s", { timeout: "1h" })).received;
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        const [, answer] = await Promise.all([host.advance(SECOND_MS), probe.signal("s", "x")]);
        expect(answer).toBe("accepted");
        if (evicts) await probe.evict();
        if (evicts) await probe.ring();
        expect(await probe.outcome()).toEqual({ kind: "completed", value: true });
      },
    );

    it("S75 a signal that is sent twice with one key counts once, also after an eviction and after the end", async () => {
      const workflow = defineWorkflow({ name: "keyed", signals }, async ({ awaitSignal }) => {
        const first = await awaitSignal("s");
        const second = await awaitSignal("s");
        return [first.value, second.value];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.signal("s", "a", "key-1")).toBe("accepted");
      expect(await probe.signal("s", "b", "key-1")).toBe("accepted");
      await probe.evict();
      expect(await probe.signal("s", "c", "key-1")).toBe("accepted");
      expect(await probe.outcome()).toBeUndefined();
      expect((await probe.view()).unreadSignals).toBe(0);
      await probe.signal("s", "d", "key-2");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["a", "d"] });
      const facts = await probe.facts();
      expect(await probe.signal("s", "e", "key-2")).toBe("accepted");
      expect(await probe.facts()).toEqual(facts);
    });

    it("case 121: waits that timed out eat no later signal", async () => {
      const workflow = defineWorkflow({ name: "eaten", signals }, async ({ awaitSignal }) => {
        const timedOut: boolean[] = [];
        for (let i = 0; i < 3; i += 1) timedOut.push((await awaitSignal("s", { timeout: "1s" })).received);
        return [timedOut, await awaitSignal("s", { timeout: "60s" })];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(10 * SECOND_MS);
      await probe.signal("s", "x");
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [[false, false, false], { received: true, value: "x" }],
      });
    });

    it("case 122: of two waits one after the other, one signal satisfies the first alone", async () => {
      const workflow = defineWorkflow({ name: "one", signals }, async ({ awaitSignal }) => {
        const a = await awaitSignal("s", { timeout: "5s" });
        const b = await awaitSignal("s", { timeout: "5s" });
        return [a.received, b.received];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.signal("s", "x");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, false] });
    });

    it.each([false, true])(
      "case 123: of parallel waits of one name the oldest takes the first signal (evicted: %s)",
      async (evicts) => {
        const workflow = defineWorkflow({ name: "parallel", signals }, async ({ awaitSignal }) => {
          const wait = async () => {
            const outcome = await awaitSignal("s", { timeout: "10s" });
            return outcome.received ? outcome.value : undefined;
          };
          return await Promise.all([wait(), wait(), awaitSignal("s", { timeout: "1h" })]);
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        for (const value of ["1", "2"]) {
          if (evicts) await probe.evict();
          await probe.signal("s", value);
        }
        await host.runToEnd();
        expect(await probe.outcome()).toEqual({ kind: "completed", value: ["1", "2", { received: false }] });
      },
    );

    it("case 126: a wait that timed out stays so on replay, though the signal comes later", async () => {
      const passes: boolean[] = [];
      const workflow = defineWorkflow({ name: "stays", signals }, async ({ awaitSignal, step }) => {
        const { received } = await awaitSignal("s", { timeout: "1s" });
        passes.push(received);
        await step.run("after", () => 1);
        return [received, (await awaitSignal("s")).value];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(5 * SECOND_MS);
      await probe.evict();
      await probe.signal("s", "late");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [false, "late"] });
      expect(passes).toEqual([false, false]);
    });

    it("a wait that was due at t takes no signal that came at t or later, however late the wake", async () => {
      const workflow = defineWorkflow({ name: "due", signals }, async ({ awaitSignal }) => {
        const first = await awaitSignal("s", { timeout: "10s" });
        return [first, await awaitSignal("s")];
      });
      for (const { afterMs, received } of [
        { afterMs: 9_999, received: true },
        { afterMs: 10_000, received: false },
        { afterMs: 60_000, received: false },
      ]) {
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await probe.spoilAlarm(host.now() + DAY_MS);
        await host.advance(afterMs);
        await probe.signal("s", "x");
        await probe.signal("s", "y");
        const taken = { received: true, value: "x" };
        const value = received ? [taken, { received: true, value: "y" }] : [{ received: false }, taken];
        expect(await probe.outcome()).toEqual({ kind: "completed", value });
      }
    });

    it("case 127: a signal to an execution that has ended is refused alike, and changes nothing", async () => {
      const workflow = defineWorkflow<string, string, typeof signals>({ name: "ends", signals }, async (context) => {
        if (context.input === "fail")
          await context.step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, () => {
            throw new Error("no");
          });
        if (context.input === "cancel") await context.awaitSignal("t");
        return "done";
      });
      const host = makeHost({ workflows: [workflow] });
      for (const input of ["complete", "fail", "cancel"]) {
        const probe = await host.start(workflow, { input });
        if (input === "cancel") await probe.command("cancel");
        const [outcome, facts] = [await probe.outcome(), await probe.facts()];
        expect(outcome?.kind).toBe({ complete: "completed", fail: "failed", cancel: "cancelled" }[input]);
        expect(await probe.signal("s", "late")).toBe("EXECUTION_ENDED");
        expect(await probe.outcome()).toEqual(outcome);
        expect(await probe.facts()).toEqual(facts);
      }
    });

    it("case 133: each accepted signal is received, or shown as unread when the code ends", async () => {
      const workflow = defineWorkflow(
        { name: "unread", signals },
        async ({ awaitSignal }) => (await awaitSignal("s")).value,
      );
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const answers = await Promise.all([probe.signal("s", "1"), probe.signal("t", "2"), probe.signal("t", "3")]);
      const accepted = answers.filter((answer) => answer === "accepted").length;
      expect(answers.every((answer) => answer === "accepted" || answer === "EXECUTION_ENDED")).toBe(true);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "1" });
      expect((await probe.view()).unreadSignals).toBe(accepted - 1);
      expect(await probe.signal("t", "4")).toBe("EXECUTION_ENDED");
    });

    it("case 137: a wait without a timeout sets no alarm and receives after 400 days", async () => {
      const workflow = defineWorkflow({ name: "patient", signals }, async ({ awaitSignal, now, execution }) => {
        const { value } = await awaitSignal("s");
        return [value, now() - execution.startedAt];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.alarm()).toBeUndefined();
      await host.advance(400 * DAY_MS);
      await probe.evict();
      await probe.signal("s", "at last");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["at last", 400 * DAY_MS] });
    });
  });
}
