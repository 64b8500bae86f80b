import { describe, expect, it } from "vitest";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { forkOf } from "../support/forking.ts";
import { Hits } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

export function describeForksOfParents(makeHost: MakeHost): void {
  describe("a fork of an execution that started others", () => {
    it("awaits the children of the original, starts none again, and never cancels them", async () => {
      const part = defineWorkflow({ name: "part", input: staticSchema<string>() }, async ({ input, step, sleep }) => {
        await step.run("work", hits.ok(`work ${input}`));
        await sleep("1h");
        return input;
      });
      const whole = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, step }) => {
        const ref = await startExecution(part, "a");
        await step.run("between", hits.ok("between"));
        return (await awaitExecution(ref)).kind;
      });
      const host = makeHost({ workflows: [whole, part] });
      const hits = new Hits(host);
      const original = await host.start(whole, { id: "w" });
      const fork = await forkOf(original, { id: "again", before: "between" });
      const other = await forkOf(original, { id: "other", before: "between" });
      expect(await other.command("terminate")).toBe("done");
      await host.runToEnd();
      expect(await original.outcome()).toEqual({ kind: "completed", value: "completed" });
      expect(await fork.outcome()).toEqual({ kind: "completed", value: "completed" });
      expect([hits.count("work a"), hits.count("between")]).toEqual([1, 3]);
    });

    it("awaits a child for which the original was waiting: both hear of its end when it comes", async () => {
      const part = defineWorkflow({ name: "part" }, async ({ sleep, uuid }: WorkflowContext) => {
        await sleep("1h");
        return uuid();
      });
      const whole = defineWorkflow(
        { name: "whole" },
        async ({ runExecution }: WorkflowContext) => await runExecution(part, undefined),
      );
      const host = makeHost({ workflows: [whole, part] });
      const original = await host.start(whole, { id: "w" });
      await host.advance(50 * 60_000);
      const fork = await forkOf(original, { id: "again" });
      await host.advance(11 * 60_000);
      expect(await original.outcome()).toMatchObject({ kind: "completed" });
      expect(await fork.outcome()).toEqual(await original.outcome());
    });

    it("is no child of the original's parent, and tells that nothing", async () => {
      const part = defineWorkflow({ name: "part" }, async ({ sleep }: WorkflowContext) => {
        await sleep("1h");
      });
      const whole = defineWorkflow({ name: "whole" }, async ({ runExecution }: WorkflowContext) => {
        await runExecution(part, undefined, { id: "p" });
      });
      const host = makeHost({ workflows: [whole, part] });
      const parent = await host.start(whole, { id: "w" });
      const child = host.get(part, "p");
      const fork = await forkOf(child, { id: "again" });
      expect([(await child.view()).parent, (await fork.view()).parent]).toEqual([
        { workflow: "whole", id: "w" },
        undefined,
      ]);
      await host.runToEnd();
      expect([(await parent.outcome())?.kind, (await fork.outcome())?.kind]).toEqual(["completed", "completed"]);
      expect((await fork.facts()).map(({ type }) => type)).not.toContain("watchers-told");
    });
  });
}
