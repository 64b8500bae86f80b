import { LIMITS } from "../limits.ts";
import { StepInterrupted } from "../steps/errors.ts";
import { attemptFailed, type FailureTerms } from "./attempt-failed.ts";
import { pausedByFault } from "./ending.ts";
import type { Entry } from "./entry.ts";
import { rollbackFailed } from "./rollback-failed.ts";
import { currentRollback } from "./rollback.ts";
import { isHalted, runningAttempts, type State } from "./state.ts";

/**
 * What a new object journals of the death of the one before. One attempt in flight is charged with it. With none or
 * several nobody can be blamed, but ten such deaths in a row, without a clean wait between them, pause the execution.
 */
export function deathOfObject(state: State, terms: FailureTerms): Entry[] {
  const running = runningAttempts(state);
  const [attempted] = running;
  const { now: at } = terms;
  if (attempted !== undefined && running.length === 1) {
    const { attempts, name } = attempted;
    const what = attempted.kind === "rollback" ? `the rollback of ${name}` : name;
    const thrown = new StepInterrupted(`Attempt ${attempts} of ${what} was lost with its object.`);
    if (attempted.kind === "rollback") return [rollbackFailed(state, { rollback: attempted, thrown }, terms)];
    return [attemptFailed(state, { step: attempted, thrown }, terms)];
  }
  const lost: Entry = { type: "object-lost", ops: running.map(({ op }) => op), at };
  if (state.losses + 1 < LIMITS.crashesInARow || isHalted(state)) return [lost];
  const message =
    `The execution's object died ${LIMITS.crashesInARow} times in a row before it came to rest. ` +
    "A loop without an end, or more memory than an isolate has, does that. Deploy corrected code and resume.";
  return [lost, ...pausedByFault(state, { code: "CRASH_LOOP", message, at })];
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
    if (operation.kind === "step" && operation.died) return true;
  }
  return currentRollback(state)?.died === true;
}
