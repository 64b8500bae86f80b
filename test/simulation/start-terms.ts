import * as fc from "fast-check";
import { LOCAL_ORIGIN } from "../support/answering.ts";

/** What a start says besides its input. */
export interface Terms {
  readonly startsAfterMs: number;
  readonly deadlineMs: number | undefined;
}

/** Most have no deadline; those that there are come into the middle of programs. */
export const terms: fc.Arbitrary<Terms> = fc.record({
  startsAfterMs: fc.constantFrom(0, 0, 0, 900),
  deadlineMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.constantFrom(1, 1_000, 1_500, 2_700, 4_000, 8_000) },
  ),
});

export function startOptions({ startsAfterMs, deadlineMs }: Terms, now: number) {
  return { origin: LOCAL_ORIGIN, startAt: now + startsAfterMs, ...(deadlineMs !== undefined && { deadlineMs }) };
}
