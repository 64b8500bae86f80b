import { describe, expect, it } from "vitest";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost, Probe } from "../support/host.ts";
import { part } from "./children-outcomes.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const signals = { go: staticSchema<string>() };

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeChildWaits(makeHost: MakeHost): void {
  describe("a wait for another execution", () => {
    it.each([false, true])(
      "S54 combinators decide over children on replay as they did live (evicted: %s)",
      async (evicts) => {
        const passes: unknown[] = [];
        const whole = defineWorkflow({ name: "whole" }, async ({ runExecution, sleep }) => {
          const run = (ends: string, afterMs: number) => runExecution(part, { ends, afterMs });
          const seen = [
            await Promise.race([run("slow", 9 * SECOND_MS), run("fast", 2 * SECOND_MS)]),
            await Promise.any([run("failed", SECOND_MS), run("any", 3 * SECOND_MS)]),
            await Promise.race([run("failed", SECOND_MS), sleep("1m")]).catch((error: Error) => error.message),
            (await Promise.allSettled([run("a", 2), run("failed", 1)])).map(({ status }) => status),
            await Promise.all([run("x", 3), run("y", 1)]),
          ];
          passes.push(seen);
          await sleep("1h");
          return seen;
        });
        const host = makeHost({ workflows: [whole, part] });
        const probe = await host.start(whole);
        for (let second = 0; second < 12; second += 1) {
          if (evicts) await probe.evict();
          await host.advance(SECOND_MS);
        }
        await probe.evict();
        await host.runToEnd();
        const expected = ["fast", "any", "No.", ["fulfilled", "rejected"], ["x", "y"]];
        expect(await probe.outcome()).toEqual({ kind: "completed", value: expected });
        for (const pass of passes) expect(pass).toEqual(expected);
        expect(await typesOf(probe)).not.toContain("paused");
      },
    );

    it("case 163: two that wait for each other both say so, and the cancellation of one ends the wait of both", async () => {
      const mutual = defineWorkflow({ name: "mutual", input: staticSchema<string>(), signals }, async (context) => {
        await context.awaitSignal("go");
        return (await context.awaitExecution(executionRef("mutual", context.input))).kind;
      });
      const host = makeHost({ workflows: [mutual] });
      const a = await host.start(mutual, { id: "a", input: "b" });
      const b = await host.start(mutual, { id: "b", input: "a" });
      for (const probe of [a, b]) await probe.signal("go", "on");
      for (const [probe, name] of [[a, "mutual/b"] as const, [b, "mutual/a"] as const]) {
        expect((await probe.view()).waitingFor).toEqual([{ kind: "execution", name, because: "no timeout" }]);
      }
      await host.advance(60 * MINUTE_MS);
      await a.command("cancel");
      await host.runToEnd();
      expect(await a.outcome()).toEqual({ kind: "cancelled" });
      expect(await b.outcome()).toEqual({ kind: "completed", value: "cancelled" });
    });

    it("takes an end that came in a pause at the resume, in the order of the due times", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, sleep }) => {
        const ref = await startExecution(part, { ends: "completed", afterMs: 20 * SECOND_MS });
        const order: string[] = [];
        await Promise.all([
          awaitExecution(ref).then(() => order.push("child")),
          sleep("10s").then(() => order.push("10s")),
          sleep("30s").then(() => order.push("30s")),
          awaitExecution(ref, { timeout: "15s" }).then(({ kind }) => order.push(kind)),
        ]);
        return order;
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await probe.command("pause");
      await host.advance(25 * SECOND_MS);
      expect((await typesOf(probe)).slice(-2)).toEqual(["paused", "child-ended"]);
      await host.advance(25 * SECOND_MS);
      await probe.command("resume");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["10s", "timeout", "child", "30s"] });
    });

    it("is too late for an end that comes after the deadline, however late the alarm rings", async () => {
      const whole = defineWorkflow({ name: "whole" }, async ({ awaitExecution, cancelled }) => {
        return await awaitExecution(executionRef(part, "p")).catch(cancelled);
      });
      const host = makeHost({ workflows: [whole, part] });
      await host.start(part, { id: "p", input: { ends: "completed", afterMs: 10 * SECOND_MS } });
      const probe = await host.start(whole, { deadlineMs: 5 * SECOND_MS });
      await probe.spoilAlarm(host.now() + MINUTE_MS);
      await host.advance(2 * MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: true });
      expect(await typesOf(probe)).toContain("child-ended");
    });

    it("case 168: a signal to a parent that races its child is the parent's, and kept", async () => {
      const whole = defineWorkflow(
        { name: "whole", signals },
        async ({ startExecution, awaitExecution, sleep, awaitSignal }) => {
          const ref = await startExecution(part, { ends: "waits", afterMs: 0 }, { id: "p" });
          const first = await Promise.race([awaitExecution(ref), sleep("10s").then(() => "slept")]);
          return [first, (await awaitSignal("go")).value, (await awaitExecution(ref)).kind];
        },
      );
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await probe.signal("go", "parent");
      expect((await host.get(part, "p").view()).state).toBe("waiting");
      await host.advance(10 * SECOND_MS);
      await host.get(part, "p").signal("go", "child");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["slept", "parent", "completed"] });
    });
  });
}
