import { describe, expect, it } from "vitest";
import { executionRef } from "../../src/execution/execution-ref.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import type { MakeHost } from "../support/host.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const part = defineWorkflow(
  { name: "part", retention: "1h", signals: { go: staticSchema<string>() } },
  async ({ awaitSignal }) => (await awaitSignal("go")).value,
);
const waits = defineWorkflow({ name: "waits" }, async ({ awaitExecution, sleep }) => {
  const outcome = await awaitExecution(executionRef(part, "p"));
  await sleep("1h");
  return outcome;
});

export function describeChildPurges(makeHost: MakeHost): void {
  describe("an execution that others wait for", () => {
    it("tells everybody its end before its alarm rests on the purge, and is purged then", async () => {
      const host = makeHost({ workflows: [waits, part] });
      const child = await host.start(part, { id: "p" });
      const probes = [await host.start(waits), await host.start(waits)];
      for (const probe of [...probes, child]) await probe.evict();
      await child.signal("go", "now");
      const endedAt = host.now();
      expect(await child.alarm()).toBe(endedAt + HOUR_MS);
      const told = (await child.facts()).flatMap((fact) => (fact.type === "watchers-told" ? fact.watchers : []));
      expect(told).toEqual(probes.map(({ id }) => ({ workflow: "waits", id })));
      await host.advance(HOUR_MS);
      expect(await child.facts()).toEqual([]);
      await host.runToEnd();
      for (const probe of probes) {
        expect(await probe.outcome()).toEqual({ kind: "completed", value: { kind: "completed", value: "now" } });
      }
    });

    it("counts those as told that do not exist any more", async () => {
      const host = makeHost({ workflows: [waits, part] });
      const child = await host.start(part, { id: "p" });
      const probe = await host.start(waits);
      await probe.command("terminate");
      expect(await probe.purge()).toBe("purged");
      await child.signal("go", "now");
      expect(await child.alarm()).toBe(host.now() + HOUR_MS);
      expect(await child.purge()).toBe("purged");
      expect(await child.facts()).toEqual([]);
    });

    it("case 183: is refused as unknown to whoever awaits it after its purge", async () => {
      const late = defineWorkflow({ name: "late" }, async ({ startExecution, awaitExecution, sleep }) => {
        const ref = await startExecution(part, undefined, { id: "p" });
        await sleep("1d");
        return await awaitExecution(ref).catch((error: Error) => error.message);
      });
      const host = makeHost({ workflows: [late, part] });
      const probe = await host.start(late);
      await host.get(part, "p").signal("go", "now");
      await host.advance(DAY_MS);
      expect(await probe.outcome()).toEqual({
        kind: "completed",
        value: "Cannot await part/p as no execution of this name exists.",
      });
    });

    it("case 226 case 228: is not purged while it runs, sleeps or is paused, and read until its retention is over", async () => {
      const host = makeHost({ workflows: [waits, part] });
      const child = await host.start(part, { id: "p" });
      await child.command("pause");
      await host.advance(60 * DAY_MS);
      expect((await child.view()).state).toBe("paused");
      await child.command("resume");
      await child.signal("go", "now");
      await host.advance(HOUR_MS - 1);
      expect((await child.view()).state).toBe("completed");
      await host.advance(1);
      expect(await child.facts()).toEqual([]);
    });

    it("is told to a paused one too, which takes it at its resume", async () => {
      const host = makeHost({ workflows: [waits, part] });
      const child = await host.start(part, { id: "p" });
      const probe = await host.start(waits);
      await probe.command("pause");
      await child.signal("go", "now");
      expect(await child.purge()).toBe("purged");
      await host.advance(10 * DAY_MS);
      expect((await probe.view()).state).toBe("paused");
      await probe.evict();
      await probe.command("resume");
      await host.runToEnd();
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { kind: "completed", value: "now" } });
    });

    it("keeps large outcomes, inputs and signals whole", async () => {
      const text = "é".repeat(100_000);
      const large = defineWorkflow(
        { name: "large", input: staticSchema<string>(), signals: { more: staticSchema<string>() } },
        async ({ input, awaitSignal }) => [input, (await awaitSignal("more")).value],
      );
      const whole = defineWorkflow({ name: "whole" }, async (context) => {
        const { startExecution, awaitExecution, signalExecution } = context;
        const ref = await startExecution(large, text);
        const both = Promise.all([awaitExecution(ref), awaitExecution(ref)]);
        await signalExecution(ref, "more", text);
        return (await both).map((outcome) => (outcome.kind === "completed" ? outcome.value : []));
      });
      const host = makeHost({ workflows: [whole, large] });
      const probe = await host.start(whole);
      await probe.evict();
      await host.runToEnd();
      const pair = [text, text];
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [pair, pair] });
      expect(text.length).toBeGreaterThan(LIMITS.inlineValueBytes);
    });
  });
}
