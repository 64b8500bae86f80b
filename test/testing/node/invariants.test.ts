import { defineWorkflow } from "stepwell";
import { describe, expect, it } from "vitest";
import { brokenInvariants, type Observed } from "../../../src/testing/explore/invariants.ts";
import { checkReplay } from "../../../src/testing/explore/replay-check.ts";
import { Engine } from "../../../src/testing/test-engine.ts";

const workflow = defineWorkflow({ name: "two-steps", retryPolicy: { maximumAttempts: 2 } }, async ({ step, sleep }) => {
  await step.run("first", () => 1);
  await sleep("1h");
});
const FIRST = { kind: "step", op: 0, name: "first", attempt: 1 } as const;

/** An execution that sleeps after its first step, and what is said of it besides. */
async function observe(said: Partial<Observed> = {}) {
  const engine = new Engine({ workflows: [workflow] });
  const { id } = await engine.start(workflow);
  const object = engine.objects.object("two-steps", id, () => {
    throw new Error("It exists.");
  });
  return { object, calls: [{ attempt: FIRST, rowsAt: [1] }], deaths: 0, accepted: [], ...said } satisfies Observed;
}

const kindsOf = (observed: Observed) => brokenInvariants(observed).map(({ kind }) => kind);

describe("the invariants of an exploration", () => {
  it("hold for an execution with which nothing is wrong", async () => {
    const accepted = [{ kind: "start" }, { kind: "pause" }, { kind: "signal", key: undefined }] as const;
    expect(brokenInvariants(await observe({ accepted }))).toEqual([]);
  });

  it("are broken by a step that runs again after its outcome was journaled", async () => {
    const observed = await observe({ calls: [{ attempt: FIRST, rowsAt: [1, 3] }], deaths: 1 });
    expect(brokenInvariants(observed)).toEqual([
      { kind: "repeated", message: "first ran again after its outcome was journaled." },
    ]);
  });

  it("are broken by more calls than the attempts and the deaths allow", async () => {
    const calls = [{ attempt: FIRST, rowsAt: [1, 1] }];
    expect(kindsOf(await observe({ calls }))).toEqual(["hits"]);
    expect(kindsOf(await observe({ calls, deaths: 1 }))).toEqual([]);
  });

  it("are broken by an alarm at another time than the next wake, and by none", async () => {
    const observed = await observe();
    observed.object.spoilAlarm(5);
    expect(brokenInvariants(observed)).toEqual([
      { kind: "alarm", message: "The alarm of two-steps/two-steps-1 stands at 5, and 3600000 is due next." },
    ]);
    observed.object.spoilAlarm(undefined);
    expect(kindsOf(observed)).toEqual(["alarm"]);
  });

  it("are broken by requests that were answered and are not in the journal", async () => {
    const accepted = [{ kind: "signal", key: "k" }, { kind: "cancel" }, { kind: "terminate" }] as const;
    expect(kindsOf(await observe({ accepted }))).toEqual(["lost", "lost", "lost"]);
    const engine = new Engine({ workflows: [workflow] });
    const { deployment } = (await observe()).object;
    const empty = engine.objects.object("two-steps", "never", () => deployment);
    expect(kindsOf(await observe({ object: empty, accepted: [{ kind: "start" }] }))).toEqual(["lost"]);
    expect(kindsOf(await observe({ object: empty }))).toEqual([]);
  });
});

describe("the replay of a journal that has ended", () => {
  it("comes to the same end, for each kind of end", async () => {
    const ends = defineWorkflow({ name: "ends" }, async ({ step, sleep, execution: { id } }) => {
      if (id === "failed")
        await step.run({ name: "fails", retryPolicy: { maximumAttempts: 1 } }, () => Promise.reject());
      await sleep("1h");
      return id;
    });
    const engine = new Engine({ workflows: [ends] });
    for (const id of ["completed", "failed", "cancelled", "terminated"]) {
      const execution = await engine.start(ends, undefined, { id });
      if (id === "cancelled") await execution.cancel();
      if (id === "terminated") await execution.terminate();
    }
    await engine.runToEnd();
    for (const object of engine.objects.byName.values()) {
      expect(await checkReplay(object, { workflows: [ends] })).toEqual([]);
    }
  });

  it("is found out where the code comes to another one, or asks for something else", async () => {
    const of = (name: string, value: number) =>
      defineWorkflow({ name: "changed" }, ({ step }) => step.run(name, () => value));
    const engine = new Engine({ workflows: [of("a", 1)] });
    await engine.start(of("a", 1));
    const [object] = engine.objects.byName.values();
    if (object === undefined) throw new Error("There is an object.");
    expect(await checkReplay(object, { workflows: [of("a", 2)] })).toEqual([]);
    const other = defineWorkflow({ name: "changed" }, async ({ step }) => {
      await step.run("a", () => 1);
      return "other";
    });
    expect(await checkReplay(object, { workflows: [other] })).toMatchObject([
      { kind: "replay", message: expect.stringContaining('replay: completed ["other"]') },
    ]);
    expect(await checkReplay(object, { workflows: [of("b", 1)] })).toMatchObject([
      { message: expect.stringContaining("at operation 0 the journal has step a, the code asked for step b") },
    ]);
  });
});
