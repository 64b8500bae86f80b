import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";
import { errorOf, every, Hits } from "../support/hits.ts";

const SECOND = 1_000;
const SIGNALS = { go: staticSchema<number>() };

export function describeNesting(makeHost: MakeHost): void {
  describe("steps inside steps", () => {
    it("case 106: a step inside a step ends the outer one at once, with both names", async () => {
      let seen: unknown;
      const flow = defineWorkflow({ name: "nests" }, async ({ step }) => {
        seen = await errorOf(
          step.run("outer", async () => {
            hits.add("outer");
            return await step.run("inner", hits.ok("inner"));
          }),
        );
        return await step.run("next", hits.ok("next"));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "next" });
      expect([hits.count("outer"), hits.count("inner")]).toEqual([1, 0]);
      expect(NonRetryableError.is(seen)).toBe(true);
      expect(seen).toMatchObject({ code: "NESTED_STEP" });
      expect((seen as Error).message).toMatch(/inner.*outer/);
    });

    it("case 106: so do a sleep and a wait for a signal, also after an await, swallowed or not awaited", async () => {
      const codes: unknown[] = [];
      const flow = defineWorkflow({ name: "nests", signals: SIGNALS }, async ({ step, sleep, awaitSignal }) => {
        const nested: readonly (() => unknown)[] = [
          async () => await sleep("1s"),
          async () => await awaitSignal("go"),
          async () => {
            await host.delay(SECOND);
            await sleep("1s");
          },
          async () => await sleep("1s").catch(() => "swallowed"),
          async () => {
            void sleep("1s");
            return "not awaited";
          },
          async () => await Promise.race([step.run("inner", hits.ok("inner")), host.delay(SECOND)]),
        ];
        for (const fn of nested) codes.push(((await errorOf(step.run("outer", fn))) as NonRetryableError).code);
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(codes).toEqual(Array.from({ length: 6 }, () => "NESTED_STEP"));
      expect(hits.count("inner")).toBe(0);
      expect((await probe.view()).usage.operations).toBe(6);
    });

    it("case 106: a nested step that nobody catches fails the execution as NESTED_STEP", async () => {
      const flow = defineWorkflow({ name: "nests" }, async ({ step }) => {
        return await step.run("outer", async () => await step.run("inner", () => 0));
      });
      const host = makeHost({ workflows: [flow] });
      expect(await (await host.start(flow)).outcome()).toMatchObject({
        kind: "failed",
        declared: false,
        code: "NESTED_STEP",
      });
    });

    it("case 107: neither sequence, fan-out, .then nor retries of steps are taken for nesting", async () => {
      const flow = defineWorkflow({ name: "not-nested" }, async ({ step, sleep }) => {
        await step.run("a", hits.ok("a"));
        await step.run("b", hits.ok("b"));
        await Promise.all([
          step.run({ name: "c", retryPolicy: every("1s", 3) }, hits.failing("c", 1)),
          step.run("d", async () => await host.delay(1500)).then(async () => await step.run("e", hits.ok("e"))),
          sleep("1200ms").then(() => step.run("f", hits.ok("f"))),
        ]);
        return await step.run("g", hits.ok("g")).then(() => step.run("h", hits.ok("h")));
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "h" });
      expect(["a", "b", "c", "e", "f", "g", "h"].map((name) => hits.count(name))).toEqual([1, 1, 2, 1, 1, 1, 1]);
    });

    it.each([[12], [101], [1001]])(
      "case 111: of %i steps with a sleep after each tenth, each runs once",
      async (count) => {
        const flow = defineWorkflow({ name: "many" }, async ({ step, sleep }) => {
          let sum = 0;
          for (let i = 1; i <= count; i += 1) {
            sum += await step.run(`s${i}`, () => hits.add(`s${i}`));
            if (i % 10 === 0) await sleep("1s");
          }
          return sum;
        });
        const host = makeHost({ workflows: [flow] });
        const hits = new Hits(host);
        const probe = await host.start(flow);
        for (let i = 0; i < 3; i += 1) {
          await probe.evict();
          await host.advance(3 * SECOND);
        }
        await host.runToEnd();
        expect(await probe.outcome()).toEqual({ kind: "completed", value: count });
        expect(hits.at(`s${count}`)).toHaveLength(1);
      },
    );

    it("S77 a workflow at exactly the limit of operations completes, also on replay; one more is refused at the call", async () => {
      const runs: unknown[] = [];
      const flow = defineWorkflow({ name: "limit" }, async ({ step, sleep }) => {
        const batch = (size: number) =>
          Promise.all(Array.from({ length: size }, () => step.run("s", () => void hits.add("s"))));
        for (let i = 0; i < 24; i += 1) await batch(1000);
        await batch(999);
        const last = sleep("1s");
        const refused = await errorOf(step.run("one-more", hits.ok("one-more")));
        runs.push((refused as { code?: unknown }).code);
        await last;
        return "completed";
      });
      const host = makeHost({ workflows: [flow] });
      const hits = new Hits(host);
      const probe = await host.start(flow);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "completed" });
      expect(runs).toEqual(["OPERATIONS_LIMIT", "OPERATIONS_LIMIT"]);
      expect((await probe.view()).usage.operations).toBe(25_000);
      expect([hits.count("s"), hits.count("one-more")]).toEqual([24_999, 0]);
    });
  });
}
