import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const quick = defineWorkflow({ name: "quick" }, async ({ step }) => await step.run("one", () => 1));
const broken = defineWorkflow({ name: "broken" }, async () => {
  throw new NonRetryableError("a secret", { code: "BROKEN" });
});
const nap = defineWorkflow({ name: "nap", version: "v2" }, async ({ step, sleep, setAttributes }) => {
  await step.run("before", () => 1);
  setAttributes({ stage: "asleep" });
  await sleep("1h");
  setAttributes({ stage: 'odd \ud83e"\u0000' });
  await step.run("after", () => 1);
});
const listener = defineWorkflow(
  { name: "listener", signals: { go: staticSchema<number>() } },
  async ({ awaitSignal }) => {
    await awaitSignal("go");
  },
);
const parent = defineWorkflow({ name: "parent" }, async ({ runExecution }) => await runExecution(quick, undefined));
const workflows = [quick, broken, nap, listener, parent];

export function describeReports(makeHost: MakeHost): void {
  const host = () => makeHost({ workflows, directory: true });

  describe("what is listed of an execution", () => {
    it("is how it ended, its times and its code, and nothing of what was thrown (case 217)", async () => {
      const here = host();
      const startedAt = here.now();
      await here.start(quick, { id: "q", attributes: { tier: "gold" } });
      await here.start(broken, { id: "b" });
      const ended = { startedAt, endedAt: startedAt, attributes: {} };
      expect(await here.listed()).toEqual([
        { id: "q", workflow: "quick", state: "completed", ...ended, attributes: { tier: "gold" } },
        { id: "b", workflow: "broken", state: "failed", ...ended, code: "BROKEN" },
      ]);
    });

    it("is that it waits, with the attributes that its code has set (case 97)", async () => {
      const here = host();
      const startedAt = here.now();
      await here.start(nap, { id: "n" });
      const summary = { id: "n", workflow: "nap", version: "v2", startedAt };
      expect(await here.listed()).toEqual([{ ...summary, state: "waiting", attributes: { stage: "asleep" } }]);
      await here.advance(HOUR_MS);
      const attributes = { stage: 'odd \ud83e"\u0000' };
      expect(await here.listed()).toEqual([{ ...summary, state: "completed", endedAt: here.now(), attributes }]);
    });

    it("is paused, running or waiting again, and cancelled, as it is told to be", async () => {
      const here = host();
      const probe = await here.start(listener, { id: "l" });
      const state = async () => (await here.listed()).map((one) => [one.state, one.code]);
      await probe.command("pause");
      expect(await state()).toEqual([["paused", "PAUSED"]]);
      await probe.command("resume");
      expect(await state()).toEqual([["waiting", undefined]]);
      await probe.command("terminate");
      expect(await state()).toEqual([["cancelled", undefined]]);
    });

    it("is gone with the execution: by a deletion, or when its retention is over", async () => {
      const here = host();
      const probe = await here.start(quick, { id: "q" });
      await here.start(quick, { id: "r" });
      expect(await probe.purge()).toBe("purged");
      expect((await here.listed()).map(({ id }) => id)).toEqual(["r"]);
      await here.advance(8 * DAY_MS);
      expect(await here.listed()).toEqual([]);
    });

    it("is the new one where an id is used again", async () => {
      const here = host();
      const probe = await here.start(quick, { id: "q" });
      await probe.purge();
      await here.advance(HOUR_MS);
      await here.start(quick, { id: "q", input: "other" });
      expect((await here.listed()).map(({ startedAt }) => startedAt)).toEqual([here.now()]);
    });

    it("includes children and forks", async () => {
      const here = host();
      await here.start(parent, { id: "p" });
      const original = await here.start(nap, { id: "n" });
      await here.advance(HOUR_MS);
      await original.fork({ id: "f", before: "after" });
      const listed = await here.listed();
      expect(listed.map(({ workflow }) => workflow).toSorted()).toEqual(["nap", "nap", "parent", "quick"]);
      expect(listed.find(({ id }) => id === "f")).toMatchObject({ state: "completed" });
    });

    it("is nothing where a start was refused or an id is unknown (case 176)", async () => {
      const here = host();
      await here.start(quick, { id: "q" });
      await here.start(quick, { id: "q", input: "other" });
      expect(await here.get(quick, "nobody").signal("go", 1)).toBe("absent");
      expect((await here.listed()).map(({ id }) => id)).toEqual(["q"]);
    });
  });

  describe("a directory that lost what it knew", () => {
    it("knows an execution again when that is next touched, or goes on by itself", async () => {
      const here = host();
      const touched = await here.start(listener, { id: "touched" });
      await here.start(nap, { id: "wakes" });
      await here.loseDirectory();
      expect(await here.listed()).toEqual([]);
      await touched.evict();
      await touched.view();
      expect((await here.listed()).map(({ id, state }) => [id, state])).toEqual([["touched", "waiting"]]);
      await here.advance(HOUR_MS);
      expect((await here.listed()).map(({ id }) => id).toSorted()).toEqual(["touched", "wakes"]);
    });
  });
}
