import * as fc from "fast-check";
import type { Act, Case, Move } from "./commanded-run.ts";
import { programs } from "./programs.ts";
import { terms } from "./start-terms.ts";

/** Steps that are soon done and long undone, so that much of what happens comes while it rolls back. */
const sagas: fc.Arbitrary<Case> = fc.record({
  program: fc.record({
    kind: fc.constant("sequence" as const),
    parts: fc.array(
      fc.record({
        kind: fc.constant("step" as const),
        fails: fc.constant(0),
        attempts: fc.integer({ min: 1, max: 3 }),
        takesMs: fc.constantFrom(0, 0, 1, 700),
        undoFails: fc.constantFrom(0, 1, 2),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fails: fc.constant(true),
  terms,
});

export const cases: fc.Arbitrary<Case> = fc.oneof(fc.record({ program: programs, fails: fc.boolean(), terms }), sagas);

export function movesOf(acts: readonly Act[], turns: fc.Arbitrary<number>): fc.Arbitrary<readonly Move[]> {
  const act = fc.constantFrom(...acts);
  const ms = fc.constantFrom(0, 0, 1, 500, 1_000, 1_700, 4_000);
  return fc.array(fc.record({ ms, turns, act }), { minLength: 1, maxLength: 8 });
}
