import * as fc from "fast-check";

/** A random workflow: what it does, in a form that shrinks and prints. */
export type Program =
  | {
      readonly kind: "step";
      readonly fails: number;
      readonly attempts: number;
      readonly takesMs: number;
      /** How often its rollback fails; without one there is none. */
      readonly undoFails?: number;
    }
  /** A request that is answered with `ends` after it has failed `fails` times. */
  | { readonly kind: "fetch"; readonly fails: number; readonly attempts: number; readonly ends: 200 | 404 }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "signal"; readonly name: "a" | "b"; readonly timeoutMs: number }
  /** A callback, of which the world gets the URL, and so many waits for its result; with a schema it takes numbers. */
  | { readonly kind: "callback"; readonly timeoutMs: number; readonly waits: number; readonly hasSchema: boolean }
  /** So many awaits of nothing: a branch that needs no operation. */
  | { readonly kind: "microtasks"; readonly count: number }
  | { readonly kind: "draw"; readonly what: Draw }
  /** A call that is refused and takes no number. */
  | { readonly kind: "refused" }
  /** A step that nobody awaits. */
  | { readonly kind: "unawaited"; readonly takesMs: number }
  | { readonly kind: "sequence"; readonly parts: readonly Program[] }
  | { readonly kind: "all" | "race" | "any" | "allSettled" | "firstTwo"; readonly parts: readonly Program[] }
  /** Another execution that runs the program; `how` is what is done with it. */
  | { readonly kind: "child"; readonly how: How; readonly timeoutMs: number; readonly program: Program }
  /** A signal of a child to its parent. */
  | { readonly kind: "tell"; readonly name: "a" | "b" }
  /** Races one long-lived wait against each part in turn. */
  | { readonly kind: "stoppable"; readonly parts: readonly Program[] };

/** What is done with a child besides its start. */
export type How = "run" | "await" | "timeout" | "signal" | "cancel" | "leave" | "leave to continue" | "start twice";

/** Synchronous, and no operation. */
export type Draw = "random" | "uuid" | "now" | "progress" | "attributes" | "patched";

const MAXIMUM_PARTS = 4;

const LEAVES: fc.WeightedArbitrary<Program>[] = [
  {
    weight: 4,
    arbitrary: fc.record(
      {
        kind: fc.constant("step" as const),
        fails: fc.integer({ min: 0, max: 3 }),
        attempts: fc.integer({ min: 1, max: 3 }),
        takesMs: fc.constantFrom(0, 0, 0, 1, 700, 1_500),
        undoFails: fc.constantFrom(0, 0, 1, 3),
      },
      { requiredKeys: ["kind", "fails", "attempts", "takesMs"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("fetch" as const),
      fails: fc.integer({ min: 0, max: 2 }),
      attempts: fc.integer({ min: 1, max: 2 }),
      ends: fc.constantFrom(200 as const, 404 as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("sleep" as const),
      ms: fc.constantFrom(-5, 0, 1, 1_000, 2_000, 5_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("signal" as const),
      name: fc.constantFrom("a" as const, "b" as const),
      timeoutMs: fc.constantFrom(0, 1_000, 3_000, 10_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("callback" as const),
      timeoutMs: fc.constantFrom(0, 3_000, 10_000, 30_000),
      waits: fc.integer({ min: 0, max: 3 }),
      hasSchema: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("microtasks" as const),
      count: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(50, 300)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("draw" as const),
      what: fc.constantFrom<Draw>("random", "uuid", "now", "progress", "attributes", "patched"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "refused" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("unawaited" as const), takesMs: fc.constantFrom(0, 1_000) }),
  },
];

/** Another execution with a program of its own. */
function childOf(program: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  return fc.record({
    kind: fc.constant("child" as const),
    how: fc.constantFrom<How>(
      "run",
      "run",
      "await",
      "timeout",
      "signal",
      "cancel",
      "leave",
      "leave to continue",
      "start twice",
    ),
    timeoutMs: fc.constantFrom(0, 1_000, 4_000, 90_000),
    program,
  });
}

const tell: fc.Arbitrary<Program> = fc.record({
  kind: fc.constant("tell" as const),
  name: fc.constantFrom("a" as const, "b" as const),
});

/** `children` is how much weight they have among the leaves. */
function programsOf(children: number): fc.Arbitrary<Program> {
  return fc.letrec<{ program: Program; leaf: Program }>((tie) => {
    const parts = fc.array(tie("program"), { minLength: 1, maxLength: MAXIMUM_PARTS });
    const combinators = fc.constantFrom(...(["all", "race", "any", "allSettled", "firstTwo"] as const));
    const others = [
      { weight: children, arbitrary: childOf(tie("program")) },
      { weight: 1, arbitrary: tell },
    ];
    return {
      leaf: fc.oneof(...LEAVES),
      program: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        { weight: 3, arbitrary: tie("leaf") },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant("sequence" as const), parts }) },
        { weight: 4, arbitrary: fc.record({ kind: combinators, parts }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant("stoppable" as const), parts }) },
        ...(children === 0 ? [] : others),
      ),
    };
  }).program;
}

/** Programs of one execution alone. */
export const programs: fc.Arbitrary<Program> = programsOf(0);

/** Programs that start others as executions of their own, and talk to them. */
export const families: fc.Arbitrary<Program> = programsOf(2);
