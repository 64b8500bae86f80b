import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { NonRetryableError } from "../../src/steps/errors.ts";
import type { MakeHost } from "../support/host.ts";

const signals = { s: staticSchema<unknown>(), go: staticSchema<unknown>() };

interface Seen {
  /** As input, as a step's value and as a signal's value, on the first pass and then on replay. */
  readonly passes: readonly (readonly unknown[])[];
  readonly outcome: unknown;
}

/** Sends a value through everything that journals one, with a replay of all of it. */
async function roundTrip(makeHost: MakeHost, value: unknown): Promise<Seen> {
  const passes: unknown[][] = [];
  const workflow = defineWorkflow({ name: "echo", signals }, async ({ input, step, awaitSignal }) => {
    const seen = [input, await step.run("make", () => value), (await awaitSignal("s")).value];
    passes.push(seen);
    await awaitSignal("go");
    return value;
  });
  const host = makeHost({ workflows: [workflow] });
  const probe = await host.start(workflow, { input: value });
  await probe.signal("s", value);
  await probe.evict();
  await probe.signal("go", undefined);
  const outcome = await probe.outcome();
  expect(outcome?.kind).toBe("completed");
  return { passes, outcome: outcome?.kind === "completed" ? outcome.value : undefined };
}

const bytes = new Uint8Array([0, 1, 254, 255]);

/** What comes back is equal in type and content. */
const KEPT: Readonly<Record<string, unknown>> = {
  "case 86: undefined": undefined,
  "case 86: a property that is undefined": { a: undefined },
  "case 87: NaN, both infinities and -0": [Number.NaN, Infinity, -Infinity, -0, 0],
  "case 88: a Date, also an invalid one": [new Date(1_774_749_600_123), new Date(Number.NaN)],
  "case 88: a Map and a Set": new Map<unknown, unknown>([
    ["a", new Set([1, "1"])],
    [{ key: 1 }, undefined],
  ]),
  "case 88: a bigint": [2n ** 70n, -1n],
  "case 88: a RegExp and a URL": [/a\/b+/giu, new URL("https://example.com/a?b=1#c")],
  "case 88: bytes and other typed arrays": [bytes, new Float64Array([0.1, Number.NaN]), new BigInt64Array([-1n])],
  "case 88: an ArrayBuffer": bytes.buffer,
  "case 96: keys of any case, signs and length": { first_name: 1, n: { a_b: 2, "x-y": 3, "": 4 } },
  "case 97: NUL, lone surrogates and emoji": ["a\u0000b", "a\ud83eb", "\udd81", "🦁", { "\ud83e": "\u0000" }],
  "null, false, 0 and the empty string": [null, false, 0, "", [], {}],
};

export function describeValues(makeHost: MakeHost): void {
  describe("values", () => {
    for (const [what, value] of Object.entries(KEPT)) {
      it(`${what} comes through input, step, signal and result, live and on replay`, async () => {
        const { passes, outcome } = await roundTrip(makeHost, value);
        expect(passes).toStrictEqual([
          [value, value, value],
          [value, value, value],
        ]);
        expect(outcome).toStrictEqual(value);
      });
    }

    it("case 86: a hole in an array stays one", async () => {
      const { passes } = await roundTrip(makeHost, Object.assign(Array.from({ length: 0 }), { 1: "second" }));
      for (const value of passes.flat()) {
        expect(value).toHaveLength(2);
        expect(Object.keys(value as object)).toEqual(["1"]);
      }
    });

    it("a key __proto__ is a property like any other", async () => {
      const { passes } = await roundTrip(makeHost, JSON.parse('{"__proto__":{"polluted":true},"a":1}'));
      for (const value of passes.flat() as object[]) {
        expect(Object.keys(value)).toEqual(["__proto__", "a"]);
        expect("polluted" in value).toBe(false);
      }
    });

    it("case 93: repeated and cyclic references stay what they are", async () => {
      const shared = { name: "shared" };
      const cyclic: Record<string, unknown> = { first: shared, second: shared };
      cyclic["self"] = cyclic;
      const { passes, outcome } = await roundTrip(makeHost, cyclic);
      for (const value of [...passes.flat(), outcome] as Record<string, unknown>[]) {
        expect(value["self"]).toBe(value);
        expect(value["first"]).toBe(value["second"]);
        expect(value["first"]).toEqual({ name: "shared" });
      }
    });

    it("the code sees the journaled copy, on the first pass too", async () => {
      const made = { list: [1] };
      const seen: unknown[] = [];
      const workflow = defineWorkflow({ name: "copy", signals }, async ({ step, awaitSignal }) => {
        const value = await step.run("make", () => made);
        seen.push(value);
        await awaitSignal("go");
        return value;
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(seen[0]).not.toBe(made);
      made.list.push(2);
      await probe.signal("go", 1);
      expect(await probe.outcome()).toEqual({ kind: "completed", value: { list: [1] } });
    });

    it("the input cannot be changed", async () => {
      const workflow = defineWorkflow<{ list: number[] }>({ name: "frozen" }, async ({ input }) => {
        const changes = [() => input.list.push(4), () => (input.list = []), () => input.list.pop()];
        return changes.map((change) => {
          try {
            change();
            return "changed";
          } catch (error) {
            return error instanceof TypeError;
          }
        });
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow, { input: { list: [1, 2, 3] } });
      expect(await probe.outcome()).toEqual({ kind: "completed", value: [true, true, true] });
    });
  });
}

class Money {
  readonly cents = 5;
  format(): string {
    return `${this.cents}`;
  }
}

/** What has no journaled form, each with the path that the error names. */
const REFUSED: Readonly<Record<string, readonly [make: () => unknown, path: string]>> = {
  "case 92: a function": [() => () => 1, "the value"],
  "case 92: a function deep inside": [() => ({ items: [1, { callback: () => 1 }] }), ".items[1].callback"],
  "case 92: a symbol": [() => ({ id: Symbol("id") }), ".id"],
  "case 92: a Response": [() => ({ response: new Response("x") }), ".response"],
  "case 92: a promise": [() => ({ later: Promise.resolve(1) }), ".later"],
  "case 91: a class instance": [() => ({ price: new Money() }), ".price"],
  "case 76: an object with toJSON": [() => ({ toJSON: () => 1 }), ".toJSON"],
};

export function describeRefusedValues(makeHost: MakeHost): void {
  describe("values that have no journaled form", () => {
    for (const [what, [make, path]] of Object.entries(REFUSED)) {
      it(`${what} ends the step at once with its path; the code can catch that, and siblings go on`, async () => {
        const hits: string[] = [];
        const passes: unknown[] = [];
        const workflow = defineWorkflow({ name: "refused", signals }, async ({ step, awaitSignal }) => {
          const bad = step.run("bad", () => {
            hits.push("bad");
            return make();
          });
          const good = step.run("good", async () => {
            hits.push("good");
            await host.delay(10);
            return "good";
          });
          const caught = await bad.catch((error: unknown) =>
            NonRetryableError.is(error) ? [error.code, error.message] : error,
          );
          passes.push(caught);
          await awaitSignal("go");
          return [caught, await good];
        });
        const host = makeHost({ workflows: [workflow] });
        const probe = await host.start(workflow);
        await host.advance(1_000);
        await probe.evict();
        await probe.signal("go", 1);
        const refusal = ["VALUE_NOT_JOURNALABLE", expect.stringContaining(path)];
        expect(await probe.outcome()).toEqual({ kind: "completed", value: [refusal, "good"] });
        expect(passes).toEqual([refusal, refusal]);
        expect(hits).toEqual(["bad", "good"]);
      });
    }

    it("case 92: uncaught, it fails the execution with its code", async () => {
      const workflow = defineWorkflow({ name: "uncaught" }, async ({ step }) => {
        await step.run("bad", () => ({ callback: () => 1 }));
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      expect(await probe.outcome()).toMatchObject({ kind: "failed", declared: false, code: "VALUE_NOT_JOURNALABLE" });
    });

    it("as the result of the workflow it is a failed run that names the path, and corrected code goes on", async () => {
      let isBroken = true;
      const workflow = defineWorkflow({ name: "result", retryPolicy: { maximumAttempts: 1 } }, async () => {
        return isBroken ? { callback: () => 1 } : "mended";
      });
      const host = makeHost({ workflows: [workflow] });
      const probe = await host.start(workflow);
      const { state, reason } = await probe.view();
      expect(state).toBe("paused");
      expect(reason?.message).toContain(".callback");
      isBroken = false;
      await probe.command("resume");
      expect(await probe.outcome()).toEqual({ kind: "completed", value: "mended" });
    });
  });
}
