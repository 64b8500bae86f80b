import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { CancelledError, exhausted } from "../../src/steps/errors.ts";
import type { MakeHost, Probe } from "../support/host.ts";

const SECOND_MS = 1_000;
const signals = { s: staticSchema<string>() };

async function typesOf(probe: Probe): Promise<readonly string[]> {
  return (await probe.facts()).map(({ type }) => type);
}

export function describeCancellation(makeHost: MakeHost): void {
  describe("cancel", () => {
    it("case 141: case 156: a step that ignores its signal and succeeds later ends nothing: the execution is cancelled", async () => {
      const aborted: unknown[] = [];
      const workflow = defineWorkflow({ name: "ignores" }, async ({ step }) => {
        return await step.run("x", async ({ signal }) => {
          signal.addEventListener("abort", () => aborted.push(signal.reason));
          await host.delay(10 * SECOND_MS);
          return "too late";
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await host.advance(SECOND_MS);
      expect(aborted).toEqual([]);
      expect(await probe.command("cancel", "no longer needed")).toBe("done");
      expect(aborted).toHaveLength(1);
      expect(CancelledError.is(aborted[0])).toBe(true);
      expect(String(aborted[0])).toContain("no longer needed");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      await host.advance(20 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(await typesOf(probe)).not.toContain("step-completed");
    });

    it("case 142: a cancel during a backoff ends it now, without another attempt", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "backoff" }, async ({ step }) => {
        await step.run({ name: "x", retryPolicy: { initialInterval: "60s" } }, ({ attempt }) => {
          hits.push(attempt);
          throw new Error("no");
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.evict();
      await probe.command("cancel");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      await host.advance(120 * SECOND_MS);
      expect(hits).toEqual([1]);
    });

    it("case 143: a second cancel has no effect, and the compensation runs once", async () => {
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "twice", signals }, async ({ awaitSignal, step }) => {
        try {
          await awaitSignal("s");
        } catch (error) {
          await step.run("compensate", async () => {
            hits.push("compensate");
            await host.delay(5 * SECOND_MS);
          });
          throw error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.command("cancel", "first")).toBe("done");
      expect(await probe.command("cancel", "second")).toBe("done");
      await host.advance(SECOND_MS);
      expect(await probe.command("cancel")).toBe("done");
      await host.advance(10 * SECOND_MS);
      expect(await probe.command("cancel")).toBe("done");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(hits).toEqual(["compensate"]);
      const requests = (await probe.facts()).filter(({ type }) => type === "cancel-requested");
      expect(requests).toEqual([expect.objectContaining({ reason: "first" })]);
    });

    it("S46 case 153: the code sees a CancelledError, never an exhaustion; rethrown it ends the execution cancelled", async () => {
      const seen: unknown[] = [];
      const workflow = defineWorkflow({ name: "guards" }, async ({ step, cancelled }) => {
        try {
          await step.run({ name: "x", retryPolicy: { maximumAttempts: 1 } }, async ({ signal }) => {
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          });
        } catch (error) {
          seen.push([cancelled(error), exhausted(error), error instanceof Error && error.message]);
          throw error;
        }
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel", "why not");
      expect(seen).toEqual([[true, false, "why not"]]);
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      const view = await probe.view();
      expect(view.state).toBe("cancelled");
      expect(view).toMatchObject({ cancelRequestedAt: host.now(), cancelReason: "why not" });
    });

    it("case 147: after a cancellation that was caught, waits and steps work; it is delivered once", async () => {
      const workflow = defineWorkflow({ name: "caught", signals }, async ({ awaitSignal, sleep, step, cancelled }) => {
        const caught = await awaitSignal("s").catch(cancelled);
        await sleep("10s");
        const undone = await step.run("undo", () => "undone");
        const { value } = await awaitSignal("s");
        return [caught, undone, value];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      await probe.evict();
      await host.advance(10 * SECOND_MS);
      await probe.evict();
      expect((await probe.view()).state).toBe("waiting");
      await probe.signal("s", "go on");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, "undone", "go on"] });
    });

    it("case 147: a wait without an end after a cancellation is ended by terminate", async () => {
      const workflow = defineWorkflow({ name: "stubborn", signals }, async ({ awaitSignal }) => {
        for (;;) await awaitSignal("s").catch(() => {});
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      expect(await probe.view()).toMatchObject({ state: "waiting", cancelRequestedAt: host.now() });
      await probe.command("cancel");
      expect((await probe.view()).state).toBe("waiting");
      expect(await probe.command("terminate")).toBe("done");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
    });

    it("case 148: an attempt that rejects because of the cancel is not tried again", async () => {
      const hits: number[] = [];
      const workflow = defineWorkflow({ name: "rejects" }, async ({ step }) => {
        await step.run("x", async ({ signal, attempt }) => {
          hits.push(attempt);
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const end = host.now();
      const probe = await host.start(workflow);
      await probe.command("cancel");
      await host.runToEnd();
      expect(hits).toEqual([1]);
      expect(await typesOf(probe)).not.toContain("attempt-failed");
      expect(await probe.alarm()).toBe(end + 7 * 86_400 * SECOND_MS);
    });

    it("case 151: a cancel reaches one execution of twenty", async () => {
      const workflow = defineWorkflow({ name: "crowd" }, async ({ sleep }) => await sleep("1m"));
      const host = makeHost({ workflows: [workflow] });
      const probes: Probe[] = [];
      for (let i = 0; i < 20; i += 1) probes.push(await host.start(workflow));
      await probes[7]?.command("cancel");
      await host.runToEnd();
      const kinds = await Promise.all(probes.map(async (probe) => (await probe.outcome())?.kind));
      expect(kinds.map((kind, i) => (kind === "completed" ? -1 : i)).filter((i) => i >= 0)).toEqual([7]);
      expect(kinds[7]).toBe("cancelled");
    });

    it("case 152: it reaches all that is open in the order in which it was asked for, and so on replay", async () => {
      const passes: string[][] = [];
      const workflow = defineWorkflow({ name: "order", signals }, async ({ awaitSignal, sleep, step }) => {
        const order: string[] = [];
        passes.push(order);
        const wait = async (name: string, open: Promise<unknown>) => {
          await open.catch(() => order.push(name));
        };
        const all = [
          wait("signal", awaitSignal("s")),
          wait(
            "step",
            step.run("x", () => host.delay(SECOND_MS * 30)),
          ),
          wait("sleep", sleep("1h")),
        ];
        await Promise.all(all);
        await sleep("1m");
        return order;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      await probe.evict();
      await host.advance(60 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["signal", "step", "sleep"] });
      expect(passes).toEqual([
        ["signal", "step", "sleep"],
        ["signal", "step", "sleep"],
      ]);
      const delivered = (await probe.facts()).filter(({ type }) => type === "cancel-delivered");
      expect(delivered).toEqual([
        expect.objectContaining({
          ops: [
            { op: 0, kind: "signal", name: "s" },
            { op: 1, kind: "step", name: "x" },
            { op: 2, kind: "sleep", name: "sleep" },
          ],
        }),
      ]);
    });

    it("case 146: a cancelled wait stays cancelled on replay, though its signal comes afterwards", async () => {
      const workflow = defineWorkflow({ name: "stays", signals }, async ({ awaitSignal, cancelled }) => {
        const first = await awaitSignal("s").catch(cancelled);
        return [first, (await awaitSignal("s")).value];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      await probe.evict();
      await probe.signal("s", "late");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, "late"] });
    });

    it("a result that is journaled already is delivered as such", async () => {
      const workflow = defineWorkflow({ name: "journaled", signals }, async ({ awaitSignal, step, sleep }) => {
        const done = step.run("done", () => "kept");
        await sleep("1h").catch(() => {});
        return [await done, await awaitSignal("s", { timeout: "1s" })];
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      await host.advance(SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: ["kept", { received: false }] });
    });

    it("where nothing is open, it reaches all that the next turn asks for, and only that", async () => {
      const seen: string[] = [];
      const workflow = defineWorkflow({ name: "closed", signals }, async ({ sleep, awaitSignal }) => {
        await host.delay(5 * SECOND_MS);
        const open = [sleep("1h"), awaitSignal("s")].map((asked) =>
          asked.then(
            () => "settled",
            () => "cancelled",
          ),
        );
        seen.push(...(await Promise.all(open)));
        seen.push(await sleep("1s").then(() => "settled"));
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      await probe.command("cancel");
      expect(seen).toEqual([]);
      await host.advance(10 * SECOND_MS);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(seen).toEqual(["cancelled", "cancelled", "settled"]);
    });

    it("a cancel of an execution that is paused for a mismatch ends it, if the code still does not fit", async () => {
      let name = "a";
      const hits: string[] = [];
      const workflow = defineWorkflow({ name: "faulty" }, async ({ step, sleep }) => {
        await step.run(name, () => void hits.push(name));
        await sleep("1m");
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      name = "b";
      await probe.evict();
      await host.advance(60 * SECOND_MS);
      expect((await probe.view()).reason?.code).toBe("JOURNAL_MISMATCH");
      await probe.command("cancel");
      expect(await probe.outcome()).toEqual({ kind: "cancelled" });
      expect(hits).toEqual(["a"]);
    });
  });
}
