import type { CallbackOperation } from "./callback-operations.ts";
import type { State } from "./state.ts";

/** Who is to be answered: what a token holds. The workflow and the id are the object's own. */
export interface AnsweredCallback {
  readonly callback: string;
  /** When the execution was started that made the callback: an id may be used again after a purge. */
  readonly startedAt: number;
  /** The sender's idempotency key. */
  readonly key?: string;
}

/** What an answer to a callback leads to. `open`: it may be taken. `duplicate`: it had been taken, under its key. */
export type AnswerDecision =
  | { readonly kind: "open"; readonly callback: CallbackOperation }
  | { readonly kind: "duplicate" }
  | {
      readonly kind: "refused";
      readonly code: "CALLBACK_USED" | "CALLBACK_EXPIRED" | "CALLBACK_ENDED" | "NOT_FOUND" | "UNAVAILABLE";
      readonly message: string;
    };

/**
 * Whether a callback takes an answer at `now`: one, until its time is up or the code has ended, whether anybody awaits
 * it and whether the execution is paused or not. A known key is answered as the first time, also after the end.
 */
export function decideAnswer(state: State, answered: AnsweredCallback, now: number): AnswerDecision {
  if (state.started?.at !== answered.startedAt) {
    return refused("CALLBACK_ENDED", "its execution has ended: current value is purged");
  }
  const callback = state.callbacks.get(answered.callback);
  if (callback?.answer !== undefined) {
    const isSame = answered.key !== undefined && answered.key === callback.answer.key;
    if (isSame) return { kind: "duplicate" };
    return refused("CALLBACK_USED", "it takes one answer: current value is answered");
  }
  // Once it is ending only rollbacks are left, and none of them can await anything.
  const end = state.end ?? state.ending;
  if (end !== undefined) return refused("CALLBACK_ENDED", `its execution has ended: current value is ${end.type}`);
  if (state.unreadable !== undefined) {
    return refused("UNAVAILABLE", `a newer engine wrote its journal: current value is ${state.unreadable}`);
  }
  if (callback === undefined) return refused("NOT_FOUND", "its execution has not made it: current value is unknown");
  const { dueAt, isExpired } = callback;
  // A wait that timed out has told the code so: a clock that went back makes no answer of it.
  if (isExpired || (dueAt !== undefined && dueAt <= now)) {
    return refused("CALLBACK_EXPIRED", `its time was up before the answer came: current value is ${dueAt}`);
  }
  return { kind: "open", callback };
}

function refused(code: Extract<AnswerDecision, { readonly kind: "refused" }>["code"], rule: string): AnswerDecision {
  return { kind: "refused", code, message: `Cannot answer the callback as ${rule}` };
}
