import * as fc from "fast-check";

/** A signal or a cancellation that is sent to an execution, in milliseconds from the start. */
export interface Sent {
  readonly at: number;
  readonly name: "a" | "b" | "cancel";
}

/** In the order of their times. */
export const sendings: fc.Arbitrary<readonly Sent[]> = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 12_000 }),
      name: fc.constantFrom("a" as const, "a" as const, "b" as const, "b" as const, "cancel" as const),
    }),
    { maxLength: 4 },
  )
  .map((sent) => sent.toSorted((a, b) => a.at - b.at));
