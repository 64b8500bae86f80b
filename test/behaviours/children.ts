import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;

export function describeChildren(makeHost: MakeHost): void {
  describe("executions that start others", () => {
    it("start one, wait for its end and get its value", async () => {
      const hits: string[] = [];
      const child = defineWorkflow(
        { name: "part", input: staticSchema<string>() },
        async ({ input, step, execution }) => {
          await step.run("work", () => void hits.push(input));
          return { parent: execution.parent, id: execution.id };
        },
      );
      const parent = defineWorkflow({ name: "whole" }, async ({ startExecution, awaitExecution, execution }) => {
        expect(execution.parent).toBeUndefined();
        const ref = await startExecution(child, "a");
        const outcome = await awaitExecution(ref);
        return { ref, outcome };
      });
      const host = makeHost({ workflows: [parent, child] });
      const probe = await host.start(parent, { id: "w" });
      await host.runToEnd();
      const outcome = await probe.outcome();
      expect(outcome?.kind).toBe("completed");
      const { ref } = (outcome as { value: { ref: { id: string; workflow: string } } }).value;
      expect(outcome).toEqual({
        kind: "completed",
        value: {
          ref: { workflow: "part", id: ref.id },
          outcome: { kind: "completed", value: { parent: { workflow: "whole", id: "w" }, id: ref.id } },
        },
      });
      expect(hits).toEqual(["a"]);
      expect((await host.get(child, ref.id).view()).parent).toEqual({ workflow: "whole", id: "w" });
      console.log(JSON.stringify(await probe.facts(), null, 0), JSON.stringify(await host.get(child, ref.id).facts()));
      await host.advance(SECOND_MS);
    });
  });
}
