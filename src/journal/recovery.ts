import { LIMITS } from "../limits.ts";
import { StepInterrupted } from "../steps/errors.ts";
import { attemptFailed, type FailureTerms } from "./attempt-failed.ts";
import { pausedByFault } from "./ending.ts";
import type { Entry } from "./entry.ts";
import { rollbackFailed } from "./rollback-failed.ts";
import { currentRollback } from "./rollback.ts";
import { isHalted, runningAttempts, type Attempted, type State, type StepOperation } from "./state.ts";

/**
 * What a new object journals of the death of the one before. One attempt in flight is charged with it, and of several
 * the one that was watched. The others start again, and that is charged to none of them once: whatever kills, no step is
 * called more than once more than its budget allows. Where nobody is to blame, ten such deaths in a row, without a clean
 * wait between them, pause the execution.
 */
export function deathOfObject(state: State, terms: FailureTerms): Entry[] {
  const running = runningAttempts(state);
  const blamed = running.length === 1 ? running[0] : running.find(isWatched);
  const spared = running.filter((attempted) => attempted !== blamed && isSpared(attempted));
  const charged = running
    .filter((attempted) => attempted === blamed || !isSpared(attempted))
    .map((attempted) => interrupted(state, attempted, terms));
  if (blamed !== undefined && spared.length === 0) return charged;
  const { now: at } = terms;
  const lost: Entry = {
    type: "object-lost",
    ops: spared.map(({ op }) => op),
    ...(blamed && { blamed: blamed.op }),
    at,
  };
  const isLoop = blamed === undefined && state.losses + 1 >= LIMITS.crashesInARow;
  if (!isLoop || isHalted(state)) return [...charged, lost];
  const message =
    `The execution's object died ${LIMITS.crashesInARow} times in a row before it came to rest. ` +
    "A loop without an end, or more memory than an isolate has, does that. Deploy corrected code and resume.";
  return [...charged, lost, ...pausedByFault(state, { code: "CRASH_LOOP", message, at })];
}

function isWatched(attempted: Attempted): boolean {
  return attempted.kind === "step" && attempted.watch === "on";
}

/** Once, and not where it was started in the knowledge that an object had died: that start cannot have been lost. */
function isSpared(attempted: Attempted): boolean {
  return attempted.kind === "step" && attempted.uncharged === 0 && attempted.watch === "none";
}

function interrupted(state: State, attempted: Attempted, terms: FailureTerms): Entry {
  const { attempts, name } = attempted;
  const what = attempted.kind === "rollback" ? `the rollback of ${name}` : name;
  const thrown = new StepInterrupted(`Attempt ${attempts} of ${what} was lost with its object.`);
  if (attempted.kind === "rollback") return rollbackFailed(state, { rollback: attempted, thrown }, terms);
  return attemptFailed(state, { step: attempted, thrown }, terms);
}

/** How long a step is watched that starts after a death: the oftener it has died, the longer. Others for a turn. */
export function watchMs({ deaths }: StepOperation): number {
  if (deaths === 0) return 0;
  return Math.min(LIMITS.suspicionMs * SUSPICION_GROWTH ** (deaths - 1), LIMITS.attemptTimeoutMs);
}

const SUSPICION_GROWTH = 8;

/**
 * The step that starts next after a death, where one at a time does. One that is to blame for a death comes first, and
 * waits until it is alone.
 */
export function nextUnderWatch(due: readonly StepOperation[], inFlight: number): StepOperation | undefined {
  const blamed = due.find((step) => step.blamed);
  if (blamed === undefined) return due[0];
  return inFlight === 0 ? blamed : undefined;
}

/** What is to be journaled when an object comes to rest, with no attempt in flight. */
export function factsOfRest(state: State, at: number): Entry[] {
  if (!isHalted(state)) return state.losses > 0 && !mayKillAgain(state) ? [{ type: "recovered", at }] : [];
  // The pause came between the start of these attempts and their calls.
  const ops = runningAttempts(state).map(({ op }) => op);
  return ops.length > 0 ? [{ type: "attempts-withdrawn", ops, at }] : [];
}

/** True while a step whose last attempt died with its object is still to be tried again. */
export function mayKillAgain(state: State): boolean {
  for (const operation of state.open.values()) {
    if (operation.kind === "step" && operation.deaths > 0) return true;
  }
  return (currentRollback(state)?.deaths ?? 0) > 0;
}
