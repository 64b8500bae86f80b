import { describe, expect, it } from "vitest";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import { forkOf, typesOf } from "../support/forking.ts";
import { every, Hits } from "../support/hits.ts";
import type { MakeHost } from "../support/host.ts";

const signals = { s: staticSchema<string>() };

export function describeForks(makeHost: MakeHost): void {
  describe("a fork", () => {
    it("tries a failed execution again from a step, with the results before it, and leaves the original as it is", async () => {
      const workflow = defineWorkflow({ name: "order" }, async ({ step }: WorkflowContext) => {
        const reserved = await step.run("reserve", hits.ok("reserve"));
        const charged = await step.run("charge", hits.ok("charge"));
        await step.run({ name: "ship", retryPolicy: every("1s", 2) }, hits.failing("ship", 2));
        return [reserved, charged];
      });
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      await host.runToEnd();
      expect(await original.outcome()).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED" });
      const before = await original.facts();
      const view = await original.view();
      const fork = await forkOf(original, { id: "again", before: "ship" });
      expect(fork.id).toBe("again");
      expect(await fork.outcome()).toEqual({ kind: "completed", value: ["reserve", "charge"] });
      expect([hits.count("reserve"), hits.count("charge"), hits.count("ship")]).toEqual([1, 1, 3]);
      expect(await original.facts()).toEqual(before);
      expect(await original.view()).toEqual(view);
      const cut = before.find(
        (fact) => fact.type === "attempt-started" && fact.kind === "step" && fact.name === "ship",
      );
      const forkedFrom = { id: original.id, entry: cut?.entry };
      expect((await fork.facts())[cut?.entry ?? 0]).toMatchObject({
        type: "forked-from",
        before: "ship",
        ...forkedFrom,
      });
      expect(await fork.view()).toMatchObject({ id: "again", startedAt: view.startedAt, forkedFrom });
    });

    it("copies the entries before the cut with their numbers and times, all but the id in the first", async () => {
      const workflow = defineWorkflow({ name: "plain" }, async ({ step, sleep }: WorkflowContext) => {
        await step.run("a", () => "a");
        await sleep("1h");
        await step.run("b", () => "b");
        await sleep("1h");
      });
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await host.advance(90 * 60_000);
      const all = await original.facts();
      for (let before = 1; before <= all.length; before += 1) {
        const facts = await (await forkOf(original, { id: `at-${before}`, before })).facts();
        const [first, ...others] = all.slice(0, before);
        expect(facts.slice(0, before)).toEqual([{ ...first, id: `at-${before}` }, ...others]);
        expect(facts[before]).toMatchObject({ type: "forked-from", id: original.id, entry: before, at: host.now() });
      }
      await host.runToEnd();
      expect(await original.outcome()).toEqual({ kind: "completed", value: undefined });
      for (const before of all.keys()) {
        if (before === 0) continue;
        const again = await forkOf(original, { id: `at-${before}`, before });
        expect(await again.outcome()).toEqual({ kind: "completed", value: undefined });
      }
    });

    it("replays now(), random() and uuid(), and has keys of its own", async () => {
      const keys: string[] = [];
      const workflow = defineWorkflow({ name: "draws" }, async ({ step, now, random, uuid, execution, sleep }) => {
        const first = [now(), random(), uuid(), execution.startedAt];
        await step.run("key", ({ idempotencyKey }) => void keys.push(idempotencyKey));
        await sleep("1m");
        return [...first, now(), random(), uuid()];
      });
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await host.runToEnd();
      await host.advance(3_600_000);
      const late = await forkOf(original);
      expect(await late.outcome()).toEqual(await original.outcome());
      expect(keys).toHaveLength(1);
      const early = await forkOf(original, { before: "key" });
      await host.runToEnd();
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(2);
      const [value, other] = [await original.outcome(), await early.outcome()].map((outcome) =>
        outcome?.kind === "completed" ? (outcome.value as unknown[]) : [],
      );
      // What comes after the cut has the fork's own times, and the same draws.
      expect(other?.toSpliced(4, 1)).toEqual(value?.toSpliced(4, 1));
    });

    it("begins before the named occurrence of a step", async () => {
      const workflow = defineWorkflow({ name: "loop" }, async ({ step }: WorkflowContext) => {
        const seen: number[] = [];
        for (let i = 0; i < 3; i += 1) seen.push(await step.run("turn", () => (count += 1)));
        return seen;
      });
      let count = 0;
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      expect(await original.outcome()).toEqual({ kind: "completed", value: [1, 2, 3] });
      const second = await forkOf(original, { before: "turn#2" });
      expect(await second.outcome()).toEqual({ kind: "completed", value: [1, 4, 5] });
      const first = await forkOf(original, { before: "turn" });
      expect(await first.outcome()).toEqual({ kind: "completed", value: [6, 7, 8] });
    });

    it("without a cut copies everything that came before the end of the code, which then ends anew", async () => {
      const workflow = defineWorkflow({ name: "ends" }, async ({ step }: WorkflowContext) => {
        void step.run("left alone", () => host.delay(60_000)).catch(() => {});
        const value = await step.run("a", hits.ok("a"), hits.ok("undo a"));
        if (isWrong) throw new NonRetryableError("Wrong.", { code: "WRONG" });
        return value;
      });
      let isWrong = true;
      const host = makeHost({ workflows: [workflow] });
      const hits = new Hits(host);
      const original = await host.start(workflow);
      expect(await original.outcome()).toMatchObject({ code: "WRONG" });
      expect(hits.count("undo a")).toBe(1);
      isWrong = false;
      const fork = await forkOf(original);
      expect(await fork.outcome()).toEqual({ kind: "completed", value: "a" });
      expect([hits.count("a"), hits.count("undo a")]).toEqual([1, 1]);
      const copied = (await typesOf(original)).slice(0, (await fork.view()).forkedFrom?.entry);
      expect(copied.at(-1)).toBe("step-completed");
    });

    it("of a fork copies what it copied and what it added, and says of which it is one", async () => {
      const workflow = defineWorkflow({ name: "chain", signals }, async ({ awaitSignal }) => {
        const first = await awaitSignal("s");
        const second = await awaitSignal("s");
        return [first.value, second.value];
      });
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await original.signal("s", "one");
      const fork = await forkOf(original, { id: "b" });
      const ofFork = await forkOf(fork, { id: "c" });
      expect((await typesOf(ofFork)).filter((type) => type === "forked-from")).toHaveLength(2);
      expect(await ofFork.view()).toMatchObject({ forkedFrom: { id: "b" } });
      await original.signal("s", "original");
      await fork.signal("s", "fork");
      await ofFork.signal("s", "fork of the fork");
      expect(await original.outcome()).toEqual({ kind: "completed", value: ["one", "original"] });
      expect(await fork.outcome()).toEqual({ kind: "completed", value: ["one", "fork"] });
      expect(await ofFork.outcome()).toEqual({ kind: "completed", value: ["one", "fork of the fork"] });
    });
  });

  describe("a request to fork", () => {
    const workflow = defineWorkflow({ name: "asked" }, async ({ step, sleep }: WorkflowContext) => {
      await step.run("a", () => "a");
      await sleep("1h");
      await step.run("b", () => "b");
    });

    it("that is made again gives the same fork, also when the original has gone on meanwhile", async () => {
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      await forkOf(original, { id: "whole" });
      await forkOf(original, { id: "part", before: "a" });
      await host.runToEnd();
      const [whole, part] = [
        await forkOf(original, { id: "whole" }),
        await forkOf(original, { id: "part", before: 1 }),
      ];
      for (const fork of [whole, part]) {
        expect((await typesOf(fork)).filter((type) => type === "forked-from")).toHaveLength(1);
        expect(await fork.outcome()).toEqual({ kind: "completed", value: undefined });
      }
    });

    it("is refused where the id is taken by anything else", async () => {
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow, { id: "o" });
      const other = await host.start(workflow, { id: "p" });
      const facts = await other.facts();
      await forkOf(original, { id: "f", before: "a" });
      expect(await original.fork({ id: "o" })).toBe("ID_CONFLICT");
      expect(await original.fork({ id: "p" })).toBe("ID_CONFLICT");
      expect(await original.fork({ id: "f" })).toBe("ID_CONFLICT");
      expect(await original.fork({ id: "f", before: 2 })).toBe("ID_CONFLICT");
      expect(await other.fork({ id: "f", before: "a" })).toBe("ID_CONFLICT");
      expect(await other.facts()).toEqual(facts);
    });

    it("is refused where the cut does not exist", async () => {
      const host = makeHost({ workflows: [workflow] });
      const original = await host.start(workflow);
      const count = (await original.facts()).length;
      for (const before of ["c", "b", "sleep", "", 0, -1, 1.5, count + 1, Number.NaN]) {
        expect([before, await original.fork({ before })]).toEqual([before, "VALIDATION_ERROR"]);
      }
      await host.runToEnd();
      const last = (await original.facts()).length - 1;
      expect(await original.fork({ before: last + 1 })).toBe("VALIDATION_ERROR");
      const fork = await forkOf(original, { before: last });
      expect(await fork.outcome()).toEqual({ kind: "completed", value: undefined });
    });
  });
}
