import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import type { Host, MakeHost, Probe } from "../support/host.ts";

const MINUTE_MS = 60_000;
const signals = { s: staticSchema<string>(), t: staticSchema<string>() };

/** Code as it was when the execution started, and as it is when the journal is replayed. */
interface Deploy {
  readonly before: (context: WorkflowContext) => Promise<unknown>;
  readonly after: (context: WorkflowContext) => Promise<unknown>;
}

interface Deployed {
  readonly host: Host;
  readonly probe: Probe;
  readonly use: (version: keyof Deploy) => void;
}

/** An execution whose code changes while it waits: both versions sleep for a minute somewhere. */
async function changeCode(makeHost: MakeHost, deploy: Deploy): Promise<Deployed> {
  let version: keyof Deploy = "before";
  const workflow = defineWorkflow({ name: "changed", signals }, async (context) => await deploy[version](context));
  const host = makeHost({ workflows: [workflow] });
  const probe = await host.start(workflow);
  const use = (next: keyof Deploy) => {
    version = next;
  };
  use("after");
  await probe.evict();
  await host.advance(MINUTE_MS);
  return { host, probe, use };
}

async function pauseOf(probe: Probe) {
  return (await probe.facts()).findLast((fact) => fact.type === "paused");
}

export function describeMismatches(makeHost: MakeHost): void {
  describe("code that does not fit the journal", () => {
    it("case 77: S50 a renamed step pauses the execution with both names, nothing runs, and the old code completes it", async () => {
      const hits: string[] = [];
      const code =
        (first: string) =>
        async ({ step, sleep }: WorkflowContext) => {
          await step.run(first, () => void hits.push(first));
          await sleep("1m");
          return await step.run("b", () => hits.push("b"));
        };
      const { host, probe, use } = await changeCode(makeHost, { before: code("a"), after: code("a2") });
      const view = await probe.view();
      expect(view.state).toBe("paused");
      expect(view.reason?.code).toBe("JOURNAL_MISMATCH");
      expect(view.reason?.message).toContain("step a,");
      expect(view.reason?.message).toContain("step a2");
      expect(await pauseOf(probe)).toMatchObject({ by: "fault", position: 0, recorded: "step a", asked: "step a2" });
      expect(hits).toEqual(["a"]);
      expect(await probe.alarm()).toBeUndefined();
      use("before");
      await probe.command("resume");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 2 });
      expect(hits).toEqual(["a", "b"]);
    });

    it("writes nothing but the pause, and pauses again where the code is resumed without being mended", async () => {
      const { probe } = await changeCode(makeHost, {
        before: async ({ step, sleep }) => {
          await step.run("a", () => 1);
          await sleep("1m");
        },
        after: async ({ step, sleep }) => {
          await step.run("z", () => 1);
          await sleep("1m");
        },
      });
      await probe.command("resume");
      const types = (await probe.facts()).map(({ type }) => type);
      expect(types).toEqual([
        "started",
        "attempt-started",
        "step-completed",
        "timer-set",
        "paused",
        "resumed",
        "paused",
      ]);
    });

    it("case 78: a step inserted in the middle is a mismatch, and what ran is not run again", async () => {
      const hits: string[] = [];
      const code =
        (names: readonly string[]) =>
        async ({ step, sleep }: WorkflowContext) => {
          for (const name of names) {
            if (name === "c") await sleep("1m");
            await step.run(name, () => void hits.push(name));
          }
        };
      const { probe } = await changeCode(makeHost, {
        before: code(["a", "b", "c"]),
        after: code(["a", "z", "b", "c"]),
      });
      expect(await pauseOf(probe)).toMatchObject({
        code: "JOURNAL_MISMATCH",
        position: 1,
        recorded: "step b",
        asked: "step z",
      });
      expect(hits).toEqual(["a", "b"]);
    });

    it("case 193: another kind at a position is a mismatch that names position, recorded and asked", async () => {
      const { probe } = await changeCode(makeHost, {
        before: async ({ step, sleep }) => {
          await step.run("first", () => 1);
          await sleep("1m");
        },
        after: async ({ step }) => {
          await step.run("first", () => 1);
          await step.run("sleep", () => 1);
        },
      });
      expect(await pauseOf(probe)).toMatchObject({ position: 1, recorded: "sleep sleep", asked: "step sleep" });
    });

    it.each([
      { how: "return", end: async () => "early" },
      { how: "throw", end: async () => await Promise.reject(new Error("early")) },
    ])("an end by $how before everything recorded was asked for is a mismatch", async ({ how, end }) => {
      const { probe } = await changeCode(makeHost, {
        before: async ({ step, sleep }) => {
          await step.run("a", () => 1);
          await sleep("1m");
        },
        after: async ({ step }) => {
          await step.run("a", () => 1);
          return await end();
        },
      });
      expect((await probe.view()).reason?.code).toBe("JOURNAL_MISMATCH");
      expect(await pauseOf(probe)).toMatchObject({ position: 1, recorded: "sleep sleep", asked: how });
    });

    it("takes a step that is asked for after everything recorded for a new one", async () => {
      const hits: string[] = [];
      const { probe } = await changeCode(makeHost, {
        before: async ({ sleep }) => await sleep("1m"),
        after: async ({ sleep, step }) => {
          await sleep("1m");
          return await step.run("added", () => hits.push("added"));
        },
      });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    });

    it("starts an operation that is new while recorded settlements are still to come", async () => {
      const hits: string[] = [];
      const { probe } = await changeCode(makeHost, {
        before: async ({ step, sleep }) => {
          await Promise.all([step.run("a", () => 1), step.run("b", () => 2), sleep("1m")]);
        },
        after: async ({ step, sleep }) => {
          const more = async () => {
            await step.run("a", () => 1);
            return await step.run("new", () => hits.push("new"));
          };
          const results = await Promise.all([more(), step.run("b", () => 2), sleep("1m")]);
          return results.slice(0, 2);
        },
      });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [1, 2] });
      expect(hits).toEqual(["new"]);
    });

    it("goes by the recorded policy and time of an operation, whatever the code says now", async () => {
      const at: number[] = [];
      const flaky =
        (initialInterval: "1m" | "1s") =>
        async ({ step, sleep }: WorkflowContext) => {
          const long = sleep(initialInterval === "1m" ? "1h" : "1s");
          await step.run({ name: "x", retryPolicy: { initialInterval, maximumAttempts: 2 } }, ({ attempt }) => {
            at.push(host.now());
            if (attempt === 1) throw new Error("no");
          });
          await long;
        };
      let code = flaky("1m");
      const workflow = defineWorkflow({ name: "policy", signals }, async (context) => await code(context));
      const host = makeHost({ workflows: [workflow] });
      const start = host.now();
      const probe = await host.start(workflow);
      code = flaky("1s");
      await host.advance(5_000);
      await probe.evict();
      await probe.signal("s", "wake");
      expect(at).toEqual([start]);
      await host.advance(55_000);
      expect(at).toEqual([start, start + MINUTE_MS]);
      expect(await probe.alarm()).toBe(start + 60 * MINUTE_MS);
    });

    it("gives a refused call no number, so that the operations after it keep theirs", async () => {
      const hits: string[] = [];
      const code =
        (refuses: boolean) =>
        async ({ step, sleep }: WorkflowContext) => {
          const refused = refuses ? [step.run("", () => 1), sleep(Number.NaN)] : [];
          const settled = await Promise.allSettled(refused);
          if (settled.some(({ status }) => status === "fulfilled")) return "not refused";
          await step.run("a", () => void hits.push("a"));
          await sleep("1m");
          return "over";
        };
      const { probe } = await changeCode(makeHost, { before: code(true), after: code(false) });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "over" });
      expect(hits).toEqual(["a"]);
    });
  });
}
