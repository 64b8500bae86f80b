import { LIMITS } from "../limits.ts";
import { nameText } from "./execution-name.ts";
import type { ExecutionState } from "./execution-state.ts";
import type { RunFailed } from "./entry.ts";
import { nextWorkAt } from "./next-wake.ts";
import type { Undelivered } from "./outbox.ts";
import { currentRollback } from "./rollback.ts";
import { RUN_FAILED } from "./run-failed.ts";
import { isHalted, type Attempted, type LastingOperation, type Rollback, type State } from "./state.ts";

export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** One thing that an execution waits for. */
export interface WaitView {
  readonly kind: "retry" | "sleep" | "signal" | "callback" | "run" | "start" | "rollback" | "execution" | "delivery";
  /**
   * The operation's name with its occurrence; of a delivery what is sent, and to which execution. A start and a run
   * retry have none.
   */
  readonly name?: string;
  /** Unix milliseconds; absent where only a message ends the wait. */
  readonly until?: number;
  /** Which rule set `until`. */
  readonly because: string;
}

/** Steps by what they are doing; `running` includes those that are queued or start again. */
export interface StepCounts {
  readonly running: number;
  readonly waiting: number;
  readonly completed: number;
  readonly exhausted: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly abandoned: number;
}

/** The rollbacks of an execution that is about to fail or be cancelled, or did, by how they are. */
export interface RollbackCounts {
  /** Its turn has not come. */
  readonly pending: number;
  readonly running: number;
  readonly waiting: number;
  readonly rolledBack: number;
  readonly exhausted: number;
  readonly failed: number;
  readonly notRun: number;
}

/** The state that callers see. `busy`: work is in memory that the journal does not show. */
export function executionState(state: State, busy: boolean): ExecutionState {
  if (state.end !== undefined) return state.end.type;
  if (isHalted(state)) return "paused";
  if (state.startAt !== undefined) return "waiting";
  if (busy) return "running";
  if (state.ending !== undefined) return nextWorkAt(state) === undefined ? "running" : "waiting";
  for (const operation of state.open.values()) {
    if (operation.kind === "step" && operation.phase !== "waiting") return "running";
  }
  return "waiting";
}

/**
 * Why it is paused, or how it failed; while rollbacks run, how it is going to end, and before another run, why the last
 * one failed. That is what the workflow's own code threw; what attempts of steps threw stays in the journal.
 */
export function reasonOf(state: State): Reason | undefined {
  if (state.end !== undefined) {
    return state.end.type === "failed" ? { code: state.end.code, message: state.end.message } : undefined;
  }
  if (state.unreadable !== undefined) {
    return {
      code: "JOURNAL_UNREADABLE",
      message: `This engine cannot read the journal as it holds what a newer one wrote: ${state.unreadable}.`,
    };
  }
  if (state.pause !== undefined) return { code: state.pause.code, message: state.pause.message };
  if (state.runFailure !== undefined) return reasonOfRun(state.runFailure);
  if (state.ending?.type === "failed") return { code: state.ending.code, message: state.ending.message };
  return state.ending && { code: "CANCELLED", message: state.cancelReason ?? "The execution was cancelled." };
}

function reasonOfRun({ attempt, code = RUN_FAILED, failure }: RunFailed): Reason {
  const message = `Run ${attempt} failed outside every step (${failure.name}: ${failure.message}). It is tried again.`;
  return { code, message };
}

/** Why it is or was cancelled, if somebody said so. */
export function cancelReasonOf({ cancelReason, end }: State): string | undefined {
  return (end?.type === "cancelled" ? end.reason : undefined) ?? cancelReason;
}

/**
 * What has to happen before it goes on, the soonest first; waits for messages last. After the end these are the
 * deliveries that are still to be made.
 */
export function waitsOf(state: State): WaitView[] {
  const waits = state.end === undefined ? waitsOfCode(state) : [];
  for (const message of state.outbox.values()) {
    if (message.what !== "watch" || message.failures > 0) waits.push(deliveryWait(message));
  }
  return waits.sort((a, b) => (a.until ?? Number.MAX_VALUE) - (b.until ?? Number.MAX_VALUE));
}

function waitsOfCode(state: State): WaitView[] {
  const waits: WaitView[] = [];
  if (state.startAt !== undefined) waits.push({ kind: "start", until: state.startAt, because: "startAt" });
  if (state.runFailure !== undefined) {
    const { attempt, failure, retryAt } = state.runFailure;
    waits.push({ kind: "run", until: retryAt, because: `failure of run ${attempt} (${failure.name})` });
  }
  for (const operation of state.open.values()) {
    const wait = waitOf(operation);
    if (wait !== undefined) waits.push(wait);
  }
  const rollback = currentRollback(state);
  if (rollback?.phase === "waiting") {
    waits.push({ kind: "rollback", name: rollback.name, until: rollback.retryAt, because: retryReason(rollback) });
  }
  return waits;
}

function waitOf(operation: LastingOperation): WaitView | undefined {
  const { name } = operation;
  switch (operation.kind) {
    case "step":
      if (operation.phase !== "waiting") return undefined;
      return { kind: "retry", name, until: operation.retryAt, because: retryReason(operation) };
    case "sleep":
      return { kind: "sleep", name, until: operation.dueAt, because: "sleep" };
    case "signal":
    case "execution":
      return messageWait(operation.kind, operation);
    case "callback-result":
      return messageWait("callback", operation);
    // The outbox says more.
    case "child":
    case "message":
      return undefined;
  }
}

function messageWait(
  kind: "signal" | "callback" | "execution",
  { name, dueAt }: { readonly name: string; readonly dueAt: number | undefined },
): WaitView {
  if (dueAt === undefined) return { kind, name, because: "no timeout" };
  return { kind, name, until: dueAt, because: "timeout" };
}

const DELIVERIES: { readonly [What in Undelivered["what"]]: string } = {
  start: "start of",
  watch: "question to",
  message: "message to",
  cancel: "cancellation of",
  tell: "outcome to",
};

/** What is to be sent to another execution, and was not acknowledged. */
function deliveryWait({ what, to, failures, dueAt }: Undelivered): WaitView {
  const name = `${DELIVERIES[what]} ${nameText(to)}`;
  if (failures === 0) return { kind: "delivery", name, because: "no answer yet" };
  const because = `backoff after failed delivery ${failures} of ${LIMITS.deliveryAttempts}`;
  return { kind: "delivery", name, until: dueAt, because };
}

function retryReason(step: Attempted): string {
  const rule = step.because === "backoff" ? "backoff" : "Retry-After";
  const limit = step.policy.maximumAttempts;
  return `${rule} after attempt ${step.attempts}${limit === undefined ? "" : ` of ${limit}`}`;
}

export function countSteps(state: State): StepCounts {
  const counts = { running: 0, waiting: 0, completed: 0, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 };
  for (const operation of state.operations) {
    if (operation.kind !== "step") continue;
    const { phase } = operation;
    counts[phase === "queued" || phase === "interrupted" ? "running" : phase] += 1;
  }
  return counts;
}

/** `undefined` where no rollback was ever due. */
export function countRollbacks({ rollbacks }: State): RollbackCounts | undefined {
  if (rollbacks.size === 0) return undefined;
  const counts = { pending: 0, running: 0, waiting: 0, rolledBack: 0, exhausted: 0, failed: 0, notRun: 0 };
  for (const { phase } of rollbacks.values()) counts[COUNTED_AS[phase]] += 1;
  return counts;
}

const COUNTED_AS: { readonly [Phase in Rollback["phase"]]: keyof RollbackCounts } = {
  pending: "pending",
  running: "running",
  waiting: "waiting",
  completed: "rolledBack",
  exhausted: "exhausted",
  failed: "failed",
  "not-run": "notRun",
};
