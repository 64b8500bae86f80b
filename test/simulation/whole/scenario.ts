import * as fc from "fast-check";
import type { Fate } from "../../../src/testing/memory-network.ts";
import { families, type Program } from "../programs.ts";

/** An execution that a client starts. */
export interface RootStart {
  readonly at: number;
  readonly program: Program;
  /** When the program is through, the execution fails, and what its steps did is rolled back. */
  readonly fails: boolean;
  readonly startsAfterMs: number;
  readonly deadlineMs: number | undefined;
}

/** What a client asks of one execution once. It insists until it is answered, under one key. */
export interface Errand {
  readonly at: number;
  /** Among those that are started. */
  readonly root: number;
  readonly what: "signal a" | "signal b" | "cancel" | "pause" | "resume" | "answer" | "result" | "view";
}

/** What is done to an object behind its back. */
export interface Disturbance {
  readonly at: number;
  /** Among the objects that there are then. */
  readonly object: number;
  readonly what: "evict" | "kill" | "alarm early" | "alarm late" | "alarm twice" | "alarm lost";
}

/** Everything that happens in one simulation. It is drawn from one number. */
export interface Scenario {
  readonly roots: readonly RootStart[];
  readonly errands: readonly Errand[];
  readonly disturbances: readonly Disturbance[];
  /** Before so many storage operations of all objects together the one that makes the last dies. */
  readonly deaths: readonly number[];
  /** The storage operations, counted in the same way, that fail. */
  readonly failures: readonly number[];
  /** What becomes of the messages, of clients and of executions, in their order. */
  readonly fates: readonly Fate[];
  /** What becomes of the reports to the directory. */
  readonly reportFates: readonly Fate[];
  /** By how much the clocks of objects are ahead of the true time, life by life. */
  readonly skewsMs: readonly number[];
  /** Until then the code of every workflow throws before it does anything. */
  readonly brokenUntil: number;
}

const BUSY_MS = 12_000;
const time = fc.integer({ min: 0, max: BUSY_MS });

const root: fc.Arbitrary<RootStart> = fc.record({
  at: fc.constantFrom(0, 0, 400, 3_000),
  program: families,
  fails: fc.boolean(),
  startsAfterMs: fc.constantFrom(0, 0, 0, 900),
  deadlineMs: fc.constantFrom(undefined, undefined, undefined, 2_500, 7_000),
});

const errand: fc.Arbitrary<Errand> = fc.record({
  at: time,
  root: fc.nat({ max: 9 }),
  what: fc.constantFrom<Errand["what"]>(
    "signal a",
    "signal a",
    "signal b",
    "signal b",
    "cancel",
    "pause",
    "resume",
    "answer",
    "answer",
    "result",
    "view",
  ),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  at: time,
  object: fc.nat({ max: 40 }),
  what: fc.constantFrom<Disturbance["what"]>(
    "evict",
    "evict",
    "kill",
    "alarm early",
    "alarm late",
    "alarm twice",
    "alarm lost",
  ),
});

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<Fate>("delivered") },
  { weight: 3, arbitrary: fc.constantFrom<Fate>("lost", "unanswered", "repeated") },
  { weight: 1, arbitrary: fc.constant<Fate>("late") },
);

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  roots: fc.array(root, { minLength: 1, maxLength: 4 }),
  errands: fc.array(errand, { maxLength: 10 }),
  disturbances: fc.array(disturbance, { maxLength: 8 }),
  deaths: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 6 }),
  failures: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 4 }),
  fates: fc.array(fate, { maxLength: 120, size: "max" }),
  reportFates: fc.array(fate, { maxLength: 30, size: "max" }),
  skewsMs: fc.array(fc.constantFrom(-2_500, -700, -1, 0, 0, 0, 1, 700, 2_500), { minLength: 1, maxLength: 6 }),
  brokenUntil: fc.constantFrom(0, 0, 0, 5_000),
});
