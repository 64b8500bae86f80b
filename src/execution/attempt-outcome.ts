import { attemptFailed, type FailureTerms } from "../journal/attempt-failed.ts";
import type { Encoded, Entry } from "../journal/entry.ts";
import type { StepOperation } from "../journal/state.ts";
import { rollbackFailed } from "../journal/rollback-failed.ts";
import { encodeThrown, encodeValue, ValueFault } from "../journal/value.ts";
import { LIMITS } from "../limits.ts";
import { DeclaredError, NonRetryableError } from "../steps/errors.ts";
import { refusalOf } from "../steps/failure.ts";
import type { AttemptResult } from "./attempts.ts";
import type { Deployment } from "./deployment.ts";
import type { Journal } from "./journal.ts";
import { isFull } from "./refusals.ts";

/** What is journaled of the end of an attempt; `undefined` where nobody waits for it any more. */
export function attemptOutcome(
  journal: Journal,
  ended: { readonly op: number; readonly result: AttemptResult },
  terms: FailureTerms,
): Entry | undefined {
  const { op, result } = ended;
  const rollback = journal.state.openRollbacks.get(op);
  if (rollback?.phase === "running") {
    if (result.kind === "returned") return { type: "rollback-completed", op, at: terms.now };
    return rollbackFailed(journal.state, { rollback, thrown: result.thrown }, terms);
  }
  const step = journal.state.operations[op];
  return step?.kind === "step" && step.phase === "running" ? stepOutcome(journal, { step, result }, terms) : undefined;
}

function stepOutcome(
  journal: Journal,
  ended: { readonly step: StepOperation; readonly result: AttemptResult },
  terms: FailureTerms,
): Entry {
  const { step, result } = ended;
  if (result.kind === "threw") return attemptFailed(journal.state, { step, thrown: result.thrown }, terms);
  try {
    const value = journal.encoded(encodeValue(result.value, terms.maximumValueBytes));
    return { type: "step-completed", op: step.op, value, at: terms.now };
  } catch (fault) {
    if (!(fault instanceof ValueFault)) throw fault;
    // What cannot be journaled now cannot be on the next attempt either.
    const thrown = new NonRetryableError(fault.message, { code: fault.code, cause: fault });
    return attemptFailed(journal.state, { step, thrown }, terms);
  }
}

/** How a failure is decided upon and journaled now. */
export class OutcomeTerms implements FailureTerms {
  readonly now: number;
  readonly #journal: Journal;
  readonly #deployment: Deployment;

  constructor(journal: Journal, deployment: Deployment, now: number) {
    this.#journal = journal;
    this.#deployment = deployment;
    this.now = now;
  }

  get maximumRetryAfterMs(): number {
    return this.#deployment.maximumRetryAfterMs;
  }

  get maximumValueBytes(): number {
    return this.#deployment.maximumValueBytes;
  }

  get isJournalFull(): boolean {
    return isFull(this.#journal);
  }

  get skipsBackoff(): boolean | undefined {
    return this.#deployment.skipsBackoff;
  }

  encode(error: unknown): Encoded {
    return this.#journal.encoded(encodeThrown(error, thrownBytes(error, this.maximumValueBytes)));
  }
}

/** `undefined` where the codec's own bound is right. */
function thrownBytes(error: unknown, maximumValueBytes: number): number | undefined {
  // The details of a declared error are the author's data, and bounded as such.
  if (DeclaredError.is(error)) return maximumValueBytes;
  // Among its causes too, a refusal keeps its body: bounded where it is read, and up to six times as long as a text.
  return refusalOf(error) === undefined ? undefined : REFUSAL_BYTES;
}

const REFUSAL_BYTES = 8 * LIMITS.refusalBodyBytes;
