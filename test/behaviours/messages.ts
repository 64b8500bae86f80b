import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { OperationRefused } from "../../src/steps/errors.ts";
import { errorOf } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;

const room = defineWorkflow(
  { name: "room", input: staticSchema<number>(), signals: { joined: z.object({ who: z.string(), at: z.date() }) } },
  async ({ input, awaitSignal }) => {
    const who: string[] = [];
    while (who.length < input) who.push((await awaitSignal("joined")).value.who);
    return who;
  },
);
const at = new Date(7);

export function describeMessages(makeHost: MakeHost): void {
  describe("signalExecution", () => {
    it("sends a signal once, whatever replays, in the order of the calls, awaited or not", async () => {
      const guest = defineWorkflow({ name: "guest" }, async ({ signalExecution, sleep }) => {
        const ref = executionRef(room, "r");
        await signalExecution(ref, "joined", { who: "a", at });
        await sleep("1s");
        await Promise.all(["b", "c", "d"].map((who) => signalExecution(ref, "joined", { who, at })));
        void signalExecution(ref, "joined", { who: "e", at });
      });
      const host = makeHost({ workflows: [guest, room] });
      const open = await host.start(room, { id: "r", input: 5 });
      const probe = await host.start(guest);
      await probe.evict();
      await host.advance(SECOND_MS);
      await probe.evict();
      await open.evict();
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(await open.outcome()).toEqual({ kind: "completed", value: ["a", "b", "c", "d", "e"] });
      const received = (await open.facts()).filter(({ type }) => type === "signal-received");
      expect(received).toHaveLength(5);
    });

    it("lets a child signal its parent, and a parent its child", async () => {
      const child = defineWorkflow(
        { name: "child", signals: { answer: staticSchema<number>() } },
        async ({ execution, signalExecution, awaitSignal }) => {
          if (execution.parent === undefined) throw new Error("It has one.");
          await signalExecution(execution.parent, "asked", { by: execution.id });
          return (await awaitSignal("answer")).value;
        },
      );
      const whole = defineWorkflow(
        { name: "whole", signals: { asked: staticSchema<{ by: string }>() } },
        async ({ startExecution, awaitSignal, signalExecution, awaitExecution }) => {
          const ref = await startExecution(child);
          const { by } = (await awaitSignal("asked")).value;
          await signalExecution(executionRef(child, by), "answer", 42);
          return await awaitExecution(ref);
        },
      );
      const host = makeHost({ workflows: [whole, child] });
      const probe = await host.start(whole);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { kind: "completed", value: 42 } });
    });

    it("reaches one that is started at the same time, and itself", async () => {
      const whole = defineWorkflow({ name: "whole", signals: { own: staticSchema<number>() } }, async (context) => {
        const { startExecution, signalExecution, awaitExecution, awaitSignal, execution } = context;
        const ref = executionRef(room, "r");
        const [, , outcome] = await Promise.all([
          signalExecution(ref, "joined", { who: "early", at }),
          startExecution(room, 1, { id: "r" }),
          awaitExecution(ref),
        ]);
        await signalExecution(executionRef<typeof whole>("whole", execution.id), "own", 1);
        return [outcome, (await awaitSignal("own")).value];
      });
      const host = makeHost({ workflows: [whole, room] });
      const probe = await host.start(whole);
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: [{ kind: "completed", value: ["early"] }, 1],
      });
    });

    it("is refused what the other does not take, and the same on replay; it gets nothing then", async () => {
      const passes: unknown[] = [];
      const guest = defineWorkflow({ name: "guest" }, async ({ signalExecution, cancelExecution, sleep }) => {
        // The cast: what a compiler would refuse.
        const send = signalExecution as unknown as (ref: unknown, name: string, value: unknown) => Promise<void>;
        const calls = [
          () => send(executionRef(room, "r"), "joined", { who: 5, at }),
          () => send(executionRef(room, "r"), "left", { who: "a", at }),
          () => send(executionRef(room, "nowhere"), "joined", { who: "a", at }),
          () => send(executionRef("unknown", "r"), "joined", { who: "a", at }),
          () => send(executionRef(room, "ended"), "joined", { who: "a", at }),
          () => cancelExecution(executionRef(room, "nowhere")),
        ];
        const codes: unknown[] = [];
        for (const call of calls) {
          const error = await errorOf(call());
          codes.push(OperationRefused.is(error) ? error.code : String(error));
        }
        passes.push(codes);
        await sleep("1m");
      });
      const host = makeHost({ workflows: [guest, room] });
      const open = await host.start(room, { id: "r", input: 1 });
      await host.start(room, { id: "ended", input: 0 });
      const probe = await host.start(guest);
      await probe.evict();
      await host.runToEnd();
      const codes = ["VALIDATION_ERROR", "UNSUPPORTED", "NOT_FOUND", "NOT_FOUND", "EXECUTION_ENDED", "NOT_FOUND"];
      expect(passes).toEqual([codes, codes]);
      expect((await open.facts()).map(({ type }) => type)).not.toContain("signal-received");
    });

    it("is validated by the version that the receiver runs on", async () => {
      const versions = [z.object({ n: z.int() }), z.object({ s: z.string() })].map((schema, index) => {
        return defineWorkflow({ name: "room", version: `${index}`, signals: { joined: schema } }, async (context) => {
          return (await context.awaitSignal("joined")).value;
        });
      });
      const [first, second] = versions;
      if (first === undefined || second === undefined) throw new Error("There are two.");
      const guest = defineWorkflow({ name: "guest" }, async ({ signalExecution }) => {
        // The cast: the two versions share a name.
        const send = signalExecution as unknown as (ref: unknown, name: string, value: unknown) => Promise<void>;
        await send(executionRef("room", "r"), "joined", { n: 1, more: 2 });
      });
      const host = makeHost({ workflows: [guest, first, second] });
      const open = await host.start(first, { id: "r" });
      await host.start(guest);
      await host.runToEnd();
      expect(await open.outcome()).toEqual({ kind: "completed", value: { n: 1 } });
    });

    it("is still delivered where its sender has ended, or was cancelled meanwhile", async () => {
      const guest = defineWorkflow({ name: "guest" }, async ({ signalExecution }) => {
        void signalExecution(executionRef(room, "r"), "joined", { who: "last words", at });
      });
      const host = makeHost({ workflows: [guest, room] });
      const open = await host.start(room, { id: "r", input: 1 });
      const probe = await host.start(guest);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: undefined });
      expect(await open.outcome()).toEqual({ kind: "completed", value: ["last words"] });
    });
  });
}
