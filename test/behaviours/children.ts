import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflowSpec } from "../../src/execution/workflow-spec.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { errorOf } from "../support/hits.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;

/** The ids of the children that an execution asked for. */
export async function childIdsOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).flatMap((fact) => (fact.type === "child-requested" ? [fact.id] : []));
}

export function describeChildren(makeHost: MakeHost): void {
  describe("an execution that starts another", () => {
    it.each([false, true])("starts it once and sees its end, whatever is lost meanwhile (%s)", async (evicts) => {
      const hits: string[] = [];
      const part = defineWorkflow(
        { name: "part", input: staticSchema<string>() },
        async ({ input, step, execution }) => {
          await step.run("work", async () => {
            hits.push(input);
            await host.delay(10 * SECOND_MS);
          });
          return { parent: execution.parent, id: execution.id, at: new Date(5) };
        },
      );
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, execution, sleep }) => {
        const ref = await startExecution(part, "a");
        await sleep("1s");
        return { ref, outcome: await awaitExecution(ref), parent: execution.parent };
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole, { id: "w" });
      for (let second = 0; second < 5; second += 1) {
        if (evicts) await probe.evict();
        await host.advance(SECOND_MS);
      }
      const [id = ""] = await childIdsOf(probe);
      const child = host.get(part, id);
      expect((await child.view()).parent).toEqual({ workflow: "whole", id: "w" });
      expect((await probe.view()).parent).toBeUndefined();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: {
          ref: { workflow: "part", id },
          outcome: { kind: "completed", value: { parent: { workflow: "whole", id: "w" }, id, at: new Date(5) } },
          parent: undefined,
        },
      });
      expect(hits).toEqual(["a"]);
      const types = (await probe.facts()).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith("child-"))).toEqual([
        "child-requested",
        "child-started",
        "child-awaited",
        "child-ended",
        "child-wait-ended",
      ]);
    });

    it("gives the children of two starts, of two parents and of two lives of a parent ids of their own", async () => {
      const part = defineWorkflow({ name: "part" }, async () => 1);
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution }) => {
        const refs = [await startExecution(part), await startExecution(part)];
        return refs.map(({ id }) => id);
      });
      const host = makeHost({ workflows: [whole, part] });
      const ids: string[] = [];
      for (const id of ["a", "b", "a"]) {
        const probe = await host.start(whole, { id });
        await host.runToEnd();
        ids.push(...(await childIdsOf(probe)));
        expect(await probe.purge()).toBe("purged");
        await host.advance(1);
      }
      expect(new Set(ids).size).toBe(6);
      for (const id of ids) expect(executionRef(part, id)).toEqual({ workflow: "part", id });
    });

    it("case 171: adopts what somebody else started under the id with the same input, and is refused with another", async () => {
      const part = defineWorkflow(
        { name: "part", input: staticSchema<{ n: number; m: number }>() },
        async ({ input, sleep }) => {
          await sleep("1m");
          return input.n;
        },
      );
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution }) => {
        const ref = await startExecution(part, { m: 2, n: 1 }, { id: "p" });
        const refusal = await errorOf(startExecution(part, { m: 2, n: 2 }, { id: "p" }));
        return [await awaitExecution(ref), OperationRefused.is(refusal) && refusal.code];
      });
      const host = makeHost({ workflows: [whole, part] });
      const child = await host.start(part, { id: "p", input: { n: 1, m: 2 } });
      const probe = await host.start(whole);
      await probe.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ kind: "completed", value: 1 }, "ID_CONFLICT"],
      });
      expect((await child.view()).parent).toBeUndefined();
      const facts = await probe.facts();
      expect(facts.filter(({ type }) => type === "child-started")).toMatchObject([{ op: 0, adopted: true }]);
    });

    it("case 176: is refused what it cannot start, with the reason, and the same on replay; nothing exists then", async () => {
      const part = defineWorkflow({ name: "part", input: z.object({ n: z.int(), s: z.string() }) }, async () => 1);
      const unknown = defineWorkflowSpec({ name: "unknown", output: staticSchema<number>() });
      const passes: unknown[] = [];
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, runExecution, sleep }) => {
        const seen: unknown[] = [];
        // The cast: what a compiler would refuse.
        const bad = { n: 1.5, s: 3 } as unknown as { n: number; s: string };
        for (const start of [
          () => startExecution(part, bad, { id: "p" }),
          () => runExecution(part, bad, { id: "q" }),
          () => startExecution(unknown),
        ]) {
          const error = await errorOf(start());
          seen.push(OperationRefused.is(error) ? [error.code, error.message] : String(error));
        }
        passes.push(seen);
        await sleep("1m");
        return seen;
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await probe.evict();
      await host.runToEnd();
      expect(passes).toHaveLength(2);
      expect(passes[1]).toEqual(passes[0]);
      expect(passes[0]).toEqual([
        ["VALIDATION_ERROR", expect.stringMatching(/2 faults: input\.n: .*; input\.s: /)],
        ["VALIDATION_ERROR", expect.stringContaining("input.n")],
        ["NOT_FOUND", expect.stringContaining("unknown/")],
      ]);
      for (const id of ["p", "q"]) expect(await host.get(part, id).facts()).toEqual([]);
    });

    it("starts it on the version that was registered last, and a repeated start stays on its own", async () => {
      const versions = ["1", "2"].map((version) => {
        return defineWorkflow({ name: "part", version }, async ({ sleep, execution }) => {
          await sleep("1h");
          return execution.version;
        });
      });
      const [first, second] = versions;
      if (first === undefined || second === undefined) throw new Error("There are two.");
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution, sleep }) => {
        const old = runExecution(first, undefined, { id: "old" });
        await sleep("10m");
        return [await runExecution(first, undefined, { id: "new" }), await old];
      });
      const host = makeHost({ workflows: [whole, first] });
      const probe = await host.start(whole);
      await host.deploy({ workflows: [whole, first, second] });
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["2", "1"] });
    });

    it("may not do so inside a step", async () => {
      const part = defineWorkflow({ name: "part" }, async () => 1);
      const whole = defineWorkflow({ name: "whole" }, async ({ step, startExecution }) => {
        await step.run("nested", () => startExecution(part));
      });
      const host = makeHost({ workflows: [whole, part] });
      const probe = await host.start(whole);
      await host.runToEnd();
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "NESTED_STEP" });
    });

    it("pauses where its code starts another workflow than it did", async () => {
      const parts = ["one", "two"].map((name) => defineWorkflow({ name }, async () => 1));
      let which = 0;
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, sleep }) => {
        await startExecution(parts[which]?.name ?? "");
        await sleep("1m");
      });
      const host = makeHost({ workflows: [whole, ...parts] });
      const probe = await host.start(whole);
      which = 1;
      await probe.evict();
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).reason).toMatchObject({ code: "JOURNAL_MISMATCH" });
      expect((await probe.facts()).at(-1)).toMatchObject({ recorded: "child one", asked: "child two", position: 0 });
    });
  });
}
