import type { Draw } from "../support/seeded-draw.ts";

/** What one example needs to take part: a new example is added by one more of these. */
export interface Adapter {
  readonly workflow: string;
  /** The input of the n-th execution of the run. */
  readonly input: (n: number, draw: Draw) => unknown;
  /** The signals that it is sent. They may come before it waits for them, and at any time in its life. */
  readonly signals?: (draw: Draw) => readonly ChaosSignal[];
  /** The answer to its callback, where it makes one. */
  readonly answer?: (draw: Draw) => unknown;
  /** Others start it. Then it has no input of its own. */
  readonly isChild?: boolean;
  /** Steps, by their names in the journal, that do not call the service. */
  readonly callsNobody?: (step: string) => boolean;
}

export interface ChaosSignal {
  readonly afterMs: number;
  readonly name: string;
  readonly value: unknown;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Letters alone, as `saga` wants it. */
function inLetters(n: number): string {
  const letter = LETTERS.charAt(n % LETTERS.length);
  return n < LETTERS.length ? letter : inLetters(Math.floor(n / LETTERS.length)) + letter;
}

export const ADAPTERS: readonly Adapter[] = [
  {
    workflow: "order",
    input: (n, draw) => ({ sku: draw(1, 20) === 1 ? "sold-out" : `lamp-${n}`, cents: 100 + n }),
    signals: (draw) => [{ afterMs: draw(0, 8_000), name: "approval", value: { approved: draw(1, 10) > 1 } }],
  },
  { workflow: "fan-out", input: (_, draw) => ({ tiles: draw(3, 12) }) },
  {
    workflow: "reminder",
    input: (n, draw) => ({ to: `ada-${n}@example.com`, nudges: 4, interval: `${draw(1, 3)}s` }),
    signals: (draw) => (draw(1, 2) === 1 ? [{ afterMs: draw(0, 9_000), name: "done", value: {} }] : []),
  },
  {
    workflow: "invoice",
    input: (n, draw) => ({ customer: `customer-${n}`, cents: draw(1, 90_000) }),
    // Its reminders come weekly, so everybody pays.
    signals: (draw) => [{ afterMs: draw(0, 8_000), name: "paid", value: { by: "transfer" } }],
    callsNobody: (step) => step.startsWith("remind"),
  },
  {
    workflow: "expense",
    input: (n, draw) => ({ who: `Ada ${n}`, cents: draw(1, 90_000) }),
    answer: (draw) => ({ approved: draw(1, 3) > 1 }),
  },
  {
    workflow: "album",
    input: (n, draw) => ({ paths: Array.from({ length: draw(2, 5) }, (_, index) => `photo-${n}-${index}`) }),
  },
  { workflow: "photo", isChild: true, input: () => undefined },
  { workflow: "report", input: (n) => ({ team: `team-${n}` }), callsNobody: (step) => step === "read-figures" },
  { workflow: "saga", input: (n) => ({ city: inLetters(n) }) },
];
