import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>() };

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeInterruptedRollbacks(makeHost: MakeHost): void {
  describe("rollbacks and what comes between", () => {
    /** Three steps to roll back; the rollback of the second fails once. Then `end` decides. */
    function sagaOf(end: () => unknown) {
      const code = { end, names: ["a", "b", "c"], hasUndo: true };
      const workflow = defineWorkflow({ name: "saga", signals }, async ({ step }) => {
        for (const name of code.names) {
          const undo = (value: string) => void (name === "b" ? hits.failing("undo b", 1)() : hits.add(`undo ${value}`));
          const options = { name, retryPolicy: every("10s", 3) };
          await (code.hasUndo ? step.run(options, hits.ok(name), undo) : step.run(options, hits.ok(name)));
        }
        return code.end();
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const undone = () => ["a", "b", "c"].map((name) => hits.count(`undo ${name}`));
      return { code, workflow, host, hits, undone };
    }

    const failing = () => {
      throw new NonRetryableError("over", { code: "OVER" });
    };

    it("an eviction between two attempts repeats neither steps nor rollbacks", async () => {
      const { workflow, host, hits, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      expect(undone()).toEqual([0, 1, 1]);
      await probe.evict();
      await host.runToEnd();
      expect(undone()).toEqual([1, 2, 1]);
      expect(["a", "b", "c"].map((name) => hits.count(name))).toEqual([1, 1, 1]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
      expect((await typesOf(probe)).filter((type) => type === "ending")).toHaveLength(1);
    });

    it("a lost alarm is restored by the next look", async () => {
      const { workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.spoilAlarm(undefined);
      expect((await probe.view()).state).toBe("waiting");
      await host.runToEnd();
      expect(undone()).toEqual([1, 2, 1]);
    });

    it("a cancel that the code lets through rolls back, and ends the execution cancelled", async () => {
      const undone: string[] = [];
      const workflow = defineWorkflow({ name: "cancelled", signals }, async ({ step, awaitSignal }) => {
        await step.run(
          "x",
          () => "x",
          (value) => void undone.push(value),
        );
        try {
          await awaitSignal("s");
        } catch (error) {
          await step.run(
            "by hand",
            () => "y",
            (value) => void undone.push(value),
          );
          throw error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.command("cancel", "not wanted");
      expect(undone).toEqual(["y", "x"]);
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(await probe.command("cancel")).toBe("done");
      expect((await typesOf(probe)).slice(-6)).toEqual([
        "ending",
        "rollback-started",
        "rollback-completed",
        "rollback-started",
        "rollback-completed",
        "cancelled",
      ]);
    });

    it("a cancel while they run has no effect", async () => {
      const { workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      expect(await probe.command("cancel")).toBe("done");
      await probe.evict();
      await host.runToEnd();
      expect(undone()).toEqual([1, 2, 1]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
      expect(await typesOf(probe)).not.toContain("cancel-requested");
    });

    it("terminate ends at once: what has not run is recorded so", async () => {
      const { workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      expect(await probe.command("terminate")).toBe("done");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(undone()).toEqual([0, 1, 1]);
      const notRun = (await probe.facts()).filter(({ type }) => type === "rollback-not-run");
      expect(notRun).toMatchObject([
        { op: 1, reason: "TERMINATED" },
        { op: 0, reason: "TERMINATED" },
      ]);
      expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1, notRun: 2 });
    });

    it("terminate before any end runs none", async () => {
      const { workflow, host, undone } = sagaOf(() => new Promise(() => {}));
      const probe = await host.start(workflow);
      await probe.command("terminate");
      expect(undone()).toEqual([0, 0, 0]);
      expect((await typesOf(probe)).slice(-4)).toEqual([
        "rollback-not-run",
        "rollback-not-run",
        "rollback-not-run",
        "cancelled",
      ]);
      expect((await probe.view()).rollbacks).toMatchObject({ pending: 0, notRun: 3 });
    });

    it.each([true, false])("a pause holds them, with an eviction: %s", async (evicts) => {
      const { workflow, host, hits, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      await probe.command("pause");
      if (evicts) await probe.evict();
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).state).toBe("paused");
      expect(undone()).toEqual([0, 1, 1]);
      await probe.command("resume");
      expect(hits.at("undo b")).toEqual([0, 60 * SECOND_MS]);
      expect(undone()).toEqual([1, 2, 1]);
      expect((await probe.outcome())?.kind).toBe("failed");
    });

    it("a signal while they run is accepted and changes nothing", async () => {
      const { workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      expect(await probe.signal("s", "hello")).toBe("accepted");
      await host.runToEnd();
      expect(undone()).toEqual([1, 2, 1]);
      expect((await probe.view()).unreadSignals).toBe(1);
    });

    it("code that does not fit the journal any more pauses them; corrected, they go on", async () => {
      const { code, workflow, host, hits, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      code.names = ["a", "x"];
      await probe.evict();
      await host.advance(20 * SECOND_MS);
      expect(await probe.view()).toMatchObject({ state: "paused", reason: { code: "JOURNAL_MISMATCH" } });
      expect(undone()).toEqual([0, 1, 1]);
      code.names = ["a", "b", "c"];
      await probe.command("resume");
      expect(undone()).toEqual([1, 2, 1]);
      expect(hits.count("x")).toBe(0);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
    });

    it.each([
      ["returns", () => "fine", "return"],
      [
        "fails otherwise",
        () => {
          throw new NonRetryableError("no", { code: "OTHER" });
        },
        "the end failed OTHER",
      ],
    ])("code that %s on the way back to the end does not fit either", async (_, end, asked) => {
      const { code, workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      code.end = end;
      await probe.evict();
      await host.advance(20 * SECOND_MS);
      const paused = (await probe.facts()).find(({ type }) => type === "paused");
      expect(paused).toMatchObject({ code: "JOURNAL_MISMATCH", position: 3, recorded: "the end failed OVER", asked });
      expect(undone()).toEqual([0, 1, 1]);
      code.end = failing;
      await probe.command("resume");
      expect(undone()).toEqual([1, 2, 1]);
    });

    it("code that asks for more than it did on the way back to the end starts nothing", async () => {
      const { code, workflow, host, hits } = sagaOf(failing);
      const probe = await host.start(workflow);
      code.names = ["a", "b", "c", "d"];
      await probe.evict();
      await host.advance(20 * SECOND_MS);
      const paused = (await probe.facts()).find(({ type }) => type === "paused");
      expect(paused).toMatchObject({ position: 3, recorded: "nothing", asked: "step d" });
      expect(hits.count("d")).toBe(0);
    });

    it("code that breaks on the way back to the end is run again, like any run", async () => {
      const { code, workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      code.end = () => {
        throw new TypeError("broken");
      };
      await probe.evict();
      await host.advance(10 * SECOND_MS);
      expect(await probe.view()).toMatchObject({
        state: "waiting",
        waitingFor: [{ kind: "rollback" }, { kind: "run" }],
      });
      code.end = failing;
      await host.runToEnd();
      expect(undone()).toEqual([1, 2, 1]);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", code: "OVER" });
    });

    it("a rollback that the present code does not have is recorded as not run", async () => {
      const { code, workflow, host, undone } = sagaOf(failing);
      const probe = await host.start(workflow);
      code.hasUndo = false;
      await probe.evict();
      await host.runToEnd();
      expect(undone()).toEqual([0, 1, 1]);
      expect((await probe.outcome())?.kind).toBe("failed");
      expect((await probe.view()).rollbacks).toMatchObject({ rolledBack: 1, notRun: 2 });
    });

    it("a cancel that cannot be told to the code ends it without them, and says why", async () => {
      let name = "x";
      const undone: string[] = [];
      const workflow = defineWorkflow({ name: "untold" }, async ({ step, sleep }) => {
        await step.run(
          name,
          () => 1,
          () => void undone.push(name),
        );
        await sleep("1m");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      name = "y";
      await probe.evict();
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).reason?.code).toBe("JOURNAL_MISMATCH");
      await probe.command("cancel");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(undone).toEqual([]);
      const notRun = (await probe.facts()).filter(({ type }) => type === "rollback-not-run");
      expect(notRun).toMatchObject([{ op: 0, reason: "JOURNAL_MISMATCH: step x, not step y" }]);
    });
  });
}
