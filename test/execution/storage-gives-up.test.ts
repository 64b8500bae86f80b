import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import type { StartRequest } from "../../src/execution/wire.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { errorOf } from "../support/hits.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import type { Faults } from "../../src/testing/memory-platform.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { TurnEnds } from "../support/turn-ends.ts";

const MINUTE_MS = 60_000;
const LARGE = "x".repeat(100_000);
const signals = { s: staticSchema<string>() };

type WriteKind = Parameters<NonNullable<Faults["beforeWrite"]>>[1];

function failOnce({ faults }: MemoryHost, kind: WriteKind): void {
  faults.beforeWrite = (_, tried) => {
    if (tried !== kind) return;
    delete faults.beforeWrite;
    throw new Error("the disk is full");
  };
}

function startOf(workflow: AnyWorkflow, input?: unknown): StartRequest {
  const text = encodeValue(input, LIMITS.valueBytes);
  return { workflow: workflow.name, id: "x", input: text, inputHash: "h", waitMs: 0 };
}

function sendSignal({ service }: MemoryObject, value = "v") {
  return service.signal({ name: "s", value: encodeValue(value, LIMITS.valueBytes), key: "k", waitMs: 0 });
}

/** Each row begins where the one before ended. */
function expectWhole({ rows }: MemoryObject): void {
  let next = 0;
  for (const { seq, entries } of rows) {
    expect(seq).toBe(next);
    next += (JSON.parse(entries) as unknown[]).length;
  }
}

const waits = defineWorkflow({ name: "waits", signals }, async ({ step, awaitSignal }) => {
  await step.run("a", () => 1);
  const { value } = await awaitSignal("s");
  return value;
});

describe("an execution whose storage fails once", () => {
  it("answers who waits for its end as soon as that has come, from the memory that took the place of the first", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const { service } = host.object(waits, "x");
    const answers: number[] = [];
    await service.start(startOf(waits));
    await host.settle();
    void service.result(10 * MINUTE_MS).then(() => answers.push(host.now()));
    // The drive's write fails, and its memory is given up; the signal's own write comes after that.
    failOnce(host, "append");
    expect((await sendSignal(host.object(waits, "x"))).kind).toBe("accepted");
    expect(answers).toEqual([]);
    await host.advance(MINUTE_MS);
    expect(answers).toEqual([LIMITS.leaseFirstMs]);
  });

  it("while its drive is suspended in a turn, goes on from what is stored, in one drive", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const object = host.object(waits, "x");
    // Not settled: the drive is in the turn that calls the function.
    await object.service.start(startOf(waits));
    failOnce(host, "append");
    await expect(sendSignal(object)).rejects.toThrow("the disk is full");
    await host.settle();
    expect((await sendSignal(object)).kind).toBe("accepted");
    await host.runToEnd();
    expectWhole(object);
    expect(storedState(object).end).toMatchObject({ type: "completed", value: ["v"] });
    expect(object.alarm).toBe(wantedAlarm(object));
  });

  it("at its start, under a look while its drive is suspended, leaves nothing behind", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "counts", signals }, async ({ awaitSignal }) => {
      calls += 1;
      await awaitSignal("s");
    });
    const ends = new TurnEnds();
    const host = new MemoryHost({ workflows: [workflow], endTurn: ends.end });
    const object = host.object(workflow, "x");
    failOnce(host, "append");
    const looks: unknown[] = [];
    ends.when(
      () => calls === 1,
      async () => looks.push(await errorOf(object.service.view())),
    );
    const started = await errorOf(object.service.start(startOf(workflow)));
    expect([started, ...looks]).toMatchObject([{ message: "the disk is full" }, { message: "the disk is full" }]);
    await host.advance(MINUTE_MS);
    expect(object.rows).toEqual([]);
    expect(object.isEmpty).toBe(true);
    expect(await object.service.start(startOf(workflow))).toMatchObject({ kind: "started", created: true });
    await host.settle();
    expect(await object.service.view()).toMatchObject({ kind: "found", view: { state: "waiting" } });
    expect(calls).toBe(2);
  });

  it.each(["append", "blob"] as const)(
    "at a start with a large input, by its %s, can be started again",
    async (kind) => {
      const length = defineWorkflow<string>({ name: "length" }, async ({ input }) => input.length);
      const host = new MemoryHost({ workflows: [length] });
      const object = host.object(length, "x");
      failOnce(host, kind);
      await expect(object.service.start(startOf(length, LARGE))).rejects.toThrow("the disk is full");
      await host.settle();
      expect(await object.service.start(startOf(length, `${LARGE}y`))).toMatchObject({
        kind: "started",
        created: true,
      });
      await host.runToEnd();
      expect(storedState(object).end).toMatchObject({ type: "completed", value: [100_001] });
    },
  );

  it("at the alarm of its end, is purged all the same", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const { object } = await host.start(waits);
    failOnce(host, "alarm");
    await expect(object.service.command({ command: "terminate" })).rejects.toThrow("the disk is full");
    await host.advance(2 * MINUTE_MS);
    expect(storedState(object).end).toMatchObject({ type: "cancelled", by: "terminated" });
    expect(object.alarm).toBe(LIMITS.retentionDefaultMs);
    await host.advance(LIMITS.retentionDefaultMs);
    expect(object.isEmpty).toBe(true);
  });

  it("at the row of a pause, is not paused, and says so", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await host.start(waits);
    const { object } = probe;
    failOnce(host, "append");
    await expect(probe.command("pause")).rejects.toThrow("the disk is full");
    expect(host.logs).toMatchObject([{ level: "error", fields: { error: { message: "the disk is full" } } }]);
    expect((await probe.view()).state).toBe("waiting");
    await host.advance(MINUTE_MS);
    expect(JSON.stringify(object.rows)).not.toContain("paused");
    expect(object.alarm).toBe(wantedAlarm(object));
    await sendSignal(object);
    await host.settle();
    expect(storedState(object).end).toMatchObject({ type: "completed" });
  });
});

/** One execution with large values, a signal and perhaps a pause, whose storage fails at these operations. */
async function disturbed(failing: readonly number[], isPaused: boolean) {
  const workflow = defineWorkflow({ name: "all", signals }, async ({ step, awaitSignal, sleep }) => {
    const [large, two, signal] = await Promise.all([
      step.run("large", () => LARGE),
      step.run("two", () => 2),
      awaitSignal("s"),
    ]);
    await sleep("1s");
    await step.run("last", () => 3);
    return `${large.length} ${two} ${signal.value?.length}`;
  });
  const host = new MemoryHost({ workflows: [workflow] });
  const object = host.object(workflow, "x");
  host.faults.beforeWrite = (operation) => {
    if (failing.includes(operation)) throw new Error(`operation ${operation} fails`);
  };
  await insist(host, () => object.service.start(startOf(workflow)));
  const requests = [insist(host, () => sendSignal(object, LARGE))];
  if (isPaused) requests.push(insist(host, () => object.service.command({ command: "pause" })));
  await Promise.all(requests);
  await host.settle();
  if (isPaused) await insist(host, () => object.service.command({ command: "resume" }));
  await host.advance(10 * MINUTE_MS);
  return object;
}

/** A caller who asks again when the answer is an error. */
async function insist(host: MemoryHost, ask: () => Promise<{ readonly kind: string }>): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const kind = await ask().then(
      (answer) => answer.kind,
      () => "failed",
    );
    if (kind !== "failed") return expect(["started", "accepted", "done"]).toContain(kind);
    await host.settle();
  }
  throw new Error("There was no answer to ten requests.");
}

describe("an execution whose storage fails", () => {
  for (const isPaused of [false, true]) {
    it(`at any one operation, or at two in a row, ends as if it had not${isPaused ? ", paused and resumed" : ""}`, async () => {
      const { operations } = await disturbed([], isPaused);
      expect(operations).toBeGreaterThan(15);
      for (let n = 1; n <= operations; n += 1) {
        for (const failing of [[n], [n, n + 1]]) {
          const object = await disturbed(failing, isPaused);
          expectWhole(object);
          const { end } = storedState(object);
          expect([failing, end]).toMatchObject([failing, { type: "completed", value: ["100000 2 100000"] }]);
          expect([failing, isAtRest(object), object.alarm]).toEqual([failing, true, wantedAlarm(object)]);
        }
      }
    });
  }
});
