import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Hit, Ledger } from "../../examples/flaky-service.ts";
import { deriveKey } from "../../src/journal/draw.ts";
import type { Entry } from "../../src/journal/entry.ts";
import {
  attemptStarted,
  completed,
  signalAwaited,
  sleepSet,
  START_AT,
  started,
  stepCompleted,
  stepStarted,
} from "../support/journal-entries.ts";
import { ADAPTERS } from "./adapters.ts";
import { alarmFault, leftBehind, longestWait } from "./alarms.ts";
import { check } from "./check.ts";
import type { Loaded } from "./load.ts";
import type { Stored } from "./stored.ts";

const KEY = deriveKey(`order/order-1/${START_AT}`, "step 0");
const DONE: Hit = { at: START_AT, answer: "200", early: false };

function stored(...entries: readonly Entry[]): Stored {
  const all = [started(), ...entries];
  return { rows: [{ seq: 0, entries: JSON.stringify(all) }], entries: all, alarmAt: undefined };
}

const loaded: Loaded = { adapter: { workflow: "order", input: () => ({}) }, id: "order-1", isStarted: true, keys: [] };
const ledger = (hits: readonly Hit[], key = KEY): Ledger => ({ path: "/stock", key, hits });
const whole = stored(stepStarted(0), stepCompleted(0), completed());

function faultsOf(one: Stored | undefined, ledgers: readonly Ledger[], given: Loaded = loaded): readonly string[] {
  return check([given], new Map(one === undefined ? [] : [["order/order-1", one]]), ledgers).faults;
}

/** As the examples define them. */
function workflowNames(): readonly string[] {
  const root = join(import.meta.dirname, "../../examples");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/defineWorkflow\(\s*\{\s*name: "([^"]+)"/g)])
    .map(([, name]) => name ?? "");
}

describe("a chaos run", () => {
  it("has an adapter for the workflow of every example", () => {
    expect(ADAPTERS.map(({ workflow }) => workflow).toSorted()).toEqual(workflowNames().toSorted());
  });
});

describe("the check of a chaos run", () => {
  it("finds nothing in an execution whose step called once and ended", () => {
    expect(check([loaded], new Map([["order/order-1", whole]]), [ledger([DONE])])).toEqual({
      faults: [],
      effects: 1,
      repeated: 0,
      duplicates: 0,
    });
  });

  it("counts what came again under its key, as a lost outcome makes it", () => {
    const again = stored(stepStarted(0), attemptStarted(0, 2), stepCompleted(0), completed());
    const found = check([loaded], new Map([["order/order-1", again]]), [ledger([DONE, DONE])]);
    expect(found).toEqual({ faults: [], effects: 1, repeated: 1, duplicates: 0 });
  });

  const called = [ledger([DONE])];
  const after = stored(stepStarted(0), stepCompleted(0), completed(), stepStarted(1));
  const twice = { ...whole, entries: [started(), stepStarted(0), stepCompleted(0), stepCompleted(0), completed()] };

  it.each<{ what: string; one?: Stored; ledgers: readonly Ledger[]; given?: Partial<Loaded>; fault: RegExp }>([
    { what: "an execution that is gone", ledgers: [], fault: /was started and is lost/ },
    { what: "a signal that is gone", one: whole, ledgers: called, given: { keys: ["k"] }, fault: /lost what .* key k/ },
    { what: "an execution without an end", one: stored(stepStarted(0)), ledgers: called, fault: /has not ended/ },
    {
      what: "a row that is gone",
      one: { ...whole, rows: [{ seq: 1, entries: "[]" }] },
      ledgers: called,
      fault: /row 1 where 0 is due/,
    },
    { what: "more calls than attempts", one: whole, ledgers: [ledger([DONE, DONE])], fault: /2 times in 1 journaled/ },
    {
      what: "a call after the outcome",
      one: whole,
      ledgers: [ledger([{ ...DONE, at: START_AT + 1 }])],
      fault: /after its outcome/,
    },
    {
      what: "a call before its time",
      one: whole,
      ledgers: [ledger([{ ...DONE, early: true }])],
      fault: /before the time/,
    },
    { what: "a step that nobody saw", one: whole, ledgers: [], fault: /the service did nothing/ },
    {
      what: "a key of no step",
      one: whole,
      ledgers: [...called, ledger([DONE], "other")],
      fault: /the key of no step/,
    },
    {
      what: "a key that is used twice",
      one: whole,
      ledgers: [...called, { ...ledger([]), path: "/mail" }],
      fault: /\/stock and \/mail/,
    },
    { what: "an entry after the end", one: after, ledgers: called, fault: /goes on after its end: attempt-started/ },
    { what: "an outcome that stands twice", one: twice, ledgers: called, fault: /contradicts itself/ },
  ])("finds $what", ({ one, ledgers, given, fault }) => {
    expect(faultsOf(one, ledgers, { ...loaded, ...given }).join("; ")).toMatch(fault);
  });
});

describe("the alarms of a chaos run", () => {
  const sleeping = stored(sleepSet(0, START_AT + 90_000));

  it("are missed in an execution that time or work would move", () => {
    expect(alarmFault(sleeping, START_AT)).toMatch(/has no alarm/);
    expect(alarmFault(stored(stepStarted(0)), START_AT)).toMatch(/has no alarm/);
    expect(alarmFault({ ...sleeping, alarmAt: START_AT + 90_000 }, START_AT)).toBeUndefined();
    expect(alarmFault({ ...sleeping, alarmAt: START_AT + 99_000 }, START_AT)).toMatch(/too late/);
  });

  it("are not missed where only a signal moves it, or nothing", () => {
    expect(alarmFault(stored(signalAwaited(0)), START_AT)).toBeUndefined();
    expect(alarmFault(whole, START_AT)).toBeUndefined();
  });

  it("tell how long what was due had to wait after a restart", () => {
    const left = leftBehind("order/order-1", stored(stepStarted(0)), START_AT);
    expect(left).toEqual({ execution: "order/order-1", entries: 2, dueAt: START_AT });
    const journal = stored(stepStarted(0), stepCompleted(0, { at: START_AT + 5_000 }));
    const journals = new Map([["order/order-1", journal]]);
    const found = left === undefined ? [] : [left];
    const life = { readyAt: START_AT + 2_000, killedAt: START_AT + 9_000, found };
    expect(longestWait([life], journals)).toEqual({ ms: 3_000, execution: "order/order-1" });
    // Killed again before it came.
    expect(longestWait([{ ...life, killedAt: START_AT + 4_000 }], journals).ms).toBe(2_000);
  });
});
