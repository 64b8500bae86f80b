import { describeFailure } from "../steps/failure.ts";
import { LIMITS } from "../limits.ts";
import type { ChildEnded, ChildOutcome, ChildrenCancelled, ChildStarted } from "./child-entry.ts";
import { operationKey } from "./key-owner.ts";
import { isCancelPending, pausedByFault } from "./ending.ts";
import type { Entry } from "./entry.ts";
import { nameText, type ExecutionName } from "./execution-name.ts";
import type { DeliveryFailed, WatchersTold } from "./message-entry.ts";
import { askAgainAt, type Asking, type Reporting, type Undelivered } from "./outbox.ts";
import { isHalted, type State } from "./state.ts";
import { truncateUtf8 } from "./value-text.ts";

/** Encodes how another execution ended, for the entry that comes after `ahead` others. */
export type EncodeOutcome = (ahead: number) => ChildOutcome;

/** What another execution answers to what the code has asked. */
export type Answer =
  | { readonly kind: "started"; readonly adopted: boolean; readonly cancelled: boolean }
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** It has not ended, and will tell its end. */
  | { readonly kind: "watched" }
  | { readonly kind: "ended"; readonly outcome: EncodeOutcome };

const REFUSED = { start: "child-refused", watch: "child-wait-refused", message: "message-refused" } as const;

/**
 * What is journaled of a delivery that failed. It is tried again for ever after the execution's end; before, one
 * message that fails again and again pauses it.
 */
export function deliveryFailed(
  state: State,
  { what, op, to, failures }: Undelivered,
  failed: { readonly thrown: unknown; readonly now: number },
): Entry[] {
  const { now: at } = failed;
  const attempt = failures + 1;
  const failure = describeFailure(failed.thrown);
  const isLasting = attempt >= LIMITS.deliveryAttempts;
  const backoffMs = Math.min(LIMITS.deliveryRetryFirstMs * 2 ** failures, LIMITS.deliveryRetryMs);
  const retryAt = at + (isLasting ? LIMITS.deliveryRetryEndedMs : backoffMs);
  const { workflow, id } = to;
  const asked = op === undefined ? {} : { op };
  const fact: DeliveryFailed = { type: "delivery-failed", what, ...asked, workflow, id, attempt, failure, retryAt, at };
  // What is about to be cancelled or has reached its end is not held up.
  const goesOn = isHalted(state) || state.ending !== undefined || isCancelPending(state);
  if (!isLasting || goesOn) return [fact];
  const message =
    `Execution ${nameText(to)} could not be reached ${attempt} times in a row (${failure.name}: ${failure.message}). ` +
    "Resume this one to try again.";
  return [fact, ...pausedByFault(state, { code: "EXECUTION_UNREACHABLE", message, failure, at })];
}

/** What is journaled of an answer. Nothing, where it says nothing new. */
export function deliveryAnswered(
  state: State,
  { what, op, to, ...message }: Asking,
  given: { readonly answer: Answer; readonly now: number },
): Entry[] {
  const { answer, now: at } = given;
  switch (answer.kind) {
    case "started":
      return [childStarted(op, answer, at)];
    case "accepted":
      return [{ type: "message-accepted", op, at }];
    case "refused": {
      const { code } = answer;
      return [{ type: REFUSED[what], op, code, message: truncateUtf8(answer.message, LIMITS.failureMessageBytes), at }];
    }
    case "watched": {
      // The first question comes with the wait, and needs no entry: the next one is due a minute later.
      const isScheduled = message.failures > 0 || message.dueAt <= at;
      return isScheduled ? [{ type: "child-watched", op, askAt: askAgainAt(message.asks + 1, at), at }] : [];
    }
    case "ended":
      return childEnded(state, to, { outcome: () => answer.outcome(0), at });
  }
}

/** An execution tells its end. */
export interface Told extends ExecutionName {
  /** Of the operation that started it, if it has a parent. */
  readonly parentKey: string | undefined;
  readonly outcome: EncodeOutcome;
}

/**
 * What is journaled of the end of another execution that was told. It is kept only for waits: whoever waits later asks.
 * A child that tells its end was started: its start needs no other acknowledgement, and must not be repeated when the
 * child is long gone.
 */
export function decideTold(state: State, { parentKey, outcome, ...name }: Told, at: number): Entry[] {
  const text = nameText(name);
  const starts: ChildStarted[] = [];
  for (const { what, op, to } of state.outbox.values()) {
    if (what !== "start" || nameText(to) !== text) continue;
    // Another start of that name may have been refused.
    if (parentKey !== operationKey(state, `child ${op}`)) continue;
    starts.push({ type: "child-started", op, ended: true, at });
  }
  return [...starts, ...childEnded(state, name, { outcome: () => outcome(starts.length), at })];
}

/** What is journaled of messages that nothing waits for, together. */
export function deliveriesAcknowledged(
  messages: readonly Reporting[],
  at: number,
): (ChildrenCancelled | WatchersTold)[] {
  const ops: number[] = [];
  const watchers: ExecutionName[] = [];
  for (const { what, op, to } of messages) {
    if (what === "cancel") ops.push(op);
    else watchers.push(to);
  }
  return [
    ...(ops.length === 0 ? [] : [{ type: "children-cancelled" as const, ops, at }]),
    ...(watchers.length === 0 ? [] : [{ type: "watchers-told" as const, watchers, at }]),
  ];
}

function childStarted(
  op: number,
  { adopted, cancelled }: { readonly adopted: boolean; readonly cancelled: boolean },
  at: number,
): ChildStarted {
  const isCancelled = cancelled && !adopted;
  return {
    type: "child-started",
    op,
    ...(adopted && { adopted }),
    ...(isCancelled && { cancelled: true as const }),
    at,
  };
}

function childEnded(
  { waits, ends }: State,
  { workflow, id }: ExecutionName,
  { outcome, at }: { readonly outcome: () => ChildOutcome; readonly at: number },
): ChildEnded[] {
  const name = nameText({ workflow, id });
  if (!waits.has(name) || ends.has(name)) return [];
  return [{ type: "child-ended", workflow, id, outcome: outcome(), at }];
}
