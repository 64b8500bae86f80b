import * as fc from "fast-check";

/** A signal, an answer to the last URL that the code has seen, or a command, in milliseconds from the start. */
export interface Sent {
  readonly at: number;
  readonly name: "a" | "b" | "cancel" | "answer" | "wrong answer" | "pause" | "resume";
}

/** In the order of their times. */
export const sendings: fc.Arbitrary<readonly Sent[]> = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 12_000 }),
      name: fc.constantFrom<Sent["name"]>(
        "a",
        "a",
        "b",
        "b",
        "answer",
        "answer",
        "answer",
        "wrong answer",
        "wrong answer",
        "cancel",
      ),
    }),
    { maxLength: 4 },
  )
  .map((sent) => sent.toSorted((a, b) => a.at - b.at));
