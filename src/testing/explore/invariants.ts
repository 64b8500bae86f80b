import type { Entry } from "../../journal/entry.ts";
import { nextWakeAt } from "../../journal/next-wake.ts";
import type { Attempted, State } from "../../journal/state.ts";
import type { MemoryObject } from "../memory-object.ts";
import { StoredJournal } from "../stored-journal.ts";
import type { AcceptedRequest } from "../test-execution.ts";
import type { Calls } from "./attempt-log.ts";
import type { Violation } from "./violation.ts";

/** What is known of one object besides what it stores. */
export interface Observed {
  readonly object: MemoryObject;
  readonly calls: readonly Calls[];
  readonly deaths: number;
  readonly accepted: readonly AcceptedRequest[];
}

/** What no execution may do, whatever happens to it, once nothing moves any more. */
export function brokenInvariants(observed: Observed): Violation[] {
  const { object } = observed;
  const state = new StoredJournal(object).read()?.state;
  if (state === undefined) return lostStart(observed);
  return [
    ...repeatedSteps(observed),
    ...tooManyCalls(observed, state),
    ...wrongAlarm(object, state),
    ...lostRequests(observed, state),
  ];
}

function lostStart({ object, accepted }: Observed): Violation[] {
  if (!accepted.some(({ kind }) => kind === "start")) return [];
  return [{ kind: "lost", message: `The start of ${object.name} was accepted, and nothing of it is stored.` }];
}

/** A step whose outcome is journaled does not run again. */
function repeatedSteps({ object, calls }: Observed): Violation[] {
  const completedInRow = new Map<string, number>();
  for (const [row, { entries }] of object.rows.entries()) {
    // The cast: rows are written by the engine alone.
    for (const entry of JSON.parse(entries) as Entry[]) {
      if (entry.type === "step-completed") completedInRow.set(`step ${entry.op}`, row);
      if (entry.type === "rollback-completed") completedInRow.set(`rollback ${entry.op}`, row);
    }
  }
  return calls.flatMap(({ attempt: { kind, op, name }, rowsAt }): Violation[] => {
    const row = completedInRow.get(`${kind} ${op}`);
    if (row === undefined || !rowsAt.some((rows) => rows > row)) return [];
    const what = kind === "step" ? name : `The rollback of ${name}`;
    return [{ kind: "repeated", message: `${what} ran again after its outcome was journaled.` }];
  });
}

/** An attempt is called once; a start that was written in the turn that died was never counted. */
function tooManyCalls({ calls, deaths }: Observed, state: State): Violation[] {
  return calls.flatMap(({ attempt: { kind, op, name }, rowsAt }): Violation[] => {
    const attempted = attemptedAt(state, kind, op);
    if (attempted === undefined) return [];
    const { attempts, uncharged, policy } = attempted;
    const most = attempts + deaths;
    if (rowsAt.length > most) {
      return [{ kind: "hits", message: `${name} was called ${rowsAt.length} times, and ${most} may have been.` }];
    }
    const limit = policy.maximumAttempts ?? Number.POSITIVE_INFINITY;
    if (attempts - uncharged <= limit) return [];
    return [{ kind: "hits", message: `${name} had ${attempts - uncharged} attempts of ${limit}.` }];
  });
}

function attemptedAt(state: State, kind: "step" | "rollback", op: number): Attempted | undefined {
  if (kind === "rollback") return state.rollbacks.get(op);
  const operation = state.operations[op];
  return operation?.kind === "step" ? operation : undefined;
}

/** At rest the alarm stands at the next wake. */
function wrongAlarm(object: MemoryObject, state: State): Violation[] {
  const wanted = nextWakeAt(state);
  if (object.isBusy || object.alarm === wanted) return [];
  const message = `The alarm of ${object.name} stands at ${object.alarm}, and ${wanted} is due next.`;
  return [{ kind: "alarm", message }];
}

/** What was answered is in the journal. */
function lostRequests({ object, accepted }: Observed, state: State): Violation[] {
  return accepted.flatMap((request): Violation[] => {
    if (isKept(request, state)) return [];
    return [{ kind: "lost", message: `A ${request.kind} of ${object.name} was accepted, and is not in its journal.` }];
  });
}

function isKept(request: AcceptedRequest, state: State): boolean {
  switch (request.kind) {
    case "signal":
      return request.key === undefined || state.signalKeys.has(request.key);
    case "answer":
      return state.callbacks.get(request.callback)?.answer !== undefined;
    case "cancel":
      return (state.end ?? state.ending ?? state.cancelRequestedAt) !== undefined;
    case "terminate":
      return state.end !== undefined;
    case "start":
    case "pause":
    case "resume":
      // What came after a pause or a resume may have undone it.
      return state.started !== undefined;
  }
}
