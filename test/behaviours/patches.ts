import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import type { Host, MakeHost, Probe } from "../support/host.ts";

const MINUTE_MS = 60_000;
const signals = { s: staticSchema<string>() };

type Code = (context: WorkflowContext) => Promise<unknown>;

interface Patching {
  readonly host: Host;
  readonly start: () => Promise<Probe>;
  readonly use: (code: Code) => void;
}

function changeable(makeHost: MakeHost, before: Code): Patching {
  let code = before;
  const workflow = defineWorkflow({ name: "changed", signals }, async (context) => await code(context));
  const host = makeHost({ workflows: [workflow] });
  return { host, start: () => host.start(workflow), use: (next) => void (code = next) };
}

async function patchFacts(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).flatMap((fact) => (fact.type === "patched" ? [fact.id] : []));
}

export function describePatches(makeHost: MakeHost): void {
  describe("patched", () => {
    it("case 78: is true for an execution that comes there for the first time, and on every replay of it", async () => {
      const hits: string[] = [];
      const { host, start } = changeable(makeHost, async ({ patched, step, sleep }) => {
        if (patched("z")) await step.run("z", () => void hits.push("z"));
        await sleep("1m");
        return patched("z");
      });
      const probe = await start();
      await probe.evict();
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: true });
      expect(hits).toEqual(["z"]);
      expect(await patchFacts(probe)).toEqual(["z"]);
      expect((await probe.view()).usage.operations).toBe(2);
    });

    it("case 78: is false for one that passed there before it existed, and on every replay of it", async () => {
      const hits: string[] = [];
      const run = (step: WorkflowContext["step"], name: string) => step.run(name, () => void hits.push(name));
      const { host, start, use } = changeable(makeHost, async ({ step, sleep }) => {
        await run(step, "a");
        await sleep("1m");
        await run(step, "b");
        await sleep("1m");
      });
      const probe = await start();
      use(async ({ patched, step, sleep }) => {
        await run(step, "a");
        if (patched("z")) await run(step, "z");
        await sleep("1m");
        await run(step, "b");
        await sleep("1m");
        return patched("z");
      });
      await probe.evict();
      await host.advance(MINUTE_MS);
      await probe.evict();
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: false });
      expect(hits).toEqual(["a", "b"]);
      expect(await patchFacts(probe)).toEqual([]);
    });

    it("is true for one that waits before it, and was started on the old code", async () => {
      const { host, start, use } = changeable(makeHost, async ({ sleep, step }) => {
        await sleep("1m");
        return await step.run("old", () => "old");
      });
      const probe = await start();
      use(async ({ patched, sleep, step }) => {
        await sleep("1m");
        const name = patched("new-name") ? "new" : "old";
        return await step.run(name, () => name);
      });
      await probe.evict();
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "new" });
    });

    it("the first call with an id decides for the execution: a loop goes on as it began", async () => {
      const loop = async ({ sleep }: WorkflowContext, each: () => boolean) => {
        const taken: boolean[] = [];
        for (let i = 0; i < 3; i += 1) {
          taken.push(each());
          await sleep("1m");
        }
        return taken;
      };
      const { host, start, use } = changeable(makeHost, async (context) => await loop(context, () => false));
      const old = await start();
      use(async (context) => await loop(context, () => context.patched("in-loop")));
      await old.evict();
      const fresh = await start();
      for (let i = 0; i < 3; i += 1) {
        await host.advance(MINUTE_MS);
        await old.evict();
        await fresh.evict();
      }
      expect(await old.outcome()).toEqual({ kind: "completed", value: [false, false, false] });
      expect(await fresh.outcome()).toEqual({ kind: "completed", value: [true, true, true] });
    });

    it("two ids decide each for itself", async () => {
      const { host, start, use } = changeable(makeHost, async ({ sleep }) => await sleep("1m"));
      const probe = await start();
      use(async ({ patched, sleep }) => {
        const before = patched("before");
        await sleep("1m");
        return [before, patched("after"), patched("before")];
      });
      await probe.evict();
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [false, true, false] });
    });

    it("a call that is no longer there is no mismatch", async () => {
      const code =
        (calls: boolean): Code =>
        async ({ patched, step, sleep }) => {
          if (calls) patched("done");
          await step.run("new", () => 1);
          await sleep("1m");
          return "over";
        };
      const { host, start, use } = changeable(makeHost, code(true));
      const probe = await start();
      use(code(false));
      await probe.evict();
      await host.advance(MINUTE_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "over" });
    });

    it("code that took the new side and is rolled back is a mismatch with both names, until the new code is back", async () => {
      const old: Code = async ({ step, sleep }) => {
        await sleep("1m");
        return await step.run("b", () => "old");
      };
      const patchedCode: Code = async ({ patched, step, sleep }) => {
        if (patched("z")) await step.run("z", () => 1);
        await sleep("1m");
        return await step.run("b", () => "new");
      };
      const { host, start, use } = changeable(makeHost, patchedCode);
      const probe = await start();
      use(old);
      await probe.evict();
      await host.advance(MINUTE_MS);
      const pause = (await probe.facts()).findLast((fact) => fact.type === "paused");
      expect(pause).toMatchObject({ code: "JOURNAL_MISMATCH", position: 0, recorded: "step z", asked: "sleep sleep" });
      use(patchedCode);
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "new" });
    });

    it("refuses what is no id, and a call inside a step", async () => {
      const { start } = changeable(makeHost, async ({ patched, step }) => {
        const tried = [5, "", "x".repeat(129)].map((id) => {
          try {
            return patched(id as string);
          } catch (error) {
            return error instanceof Error && error.name;
          }
        });
        const inside = await step.run("x", () => {
          try {
            return String(patched("inside"));
          } catch (error) {
            return String(error);
          }
        });
        return [...tried, inside, patched("x".repeat(128))];
      });
      const probe = await start();
      const inside = expect.stringContaining("patched() inside a step");
      const value = ["TypeError", "RangeError", "RangeError", inside, true];
      expect(await probe.outcome()).toEqual({ kind: "completed", value });
      expect(await patchFacts(probe)).toEqual(["x".repeat(128)]);
    });
  });
}
