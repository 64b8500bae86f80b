import type { Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import type { Ending } from "../../src/journal/rollback-entry.ts";
import { currentRollback, stepsToRollBack } from "../../src/journal/rollback.ts";
import type { LastingOperation, State } from "../../src/journal/state.ts";
import {
  attemptRetried,
  attemptStarted,
  callbackAnswered,
  callbackAwaited,
  callbackCreated,
  cancelled,
  childAwaited,
  childEnded,
  childRequested,
  completed,
  deliveryFailed,
  ending,
  foldOf,
  messageRequested,
  paused,
  resumed,
  rollbackCompleted,
  rollbackNotRun,
  rollbackRetried,
  rollbackSpent,
  rollbackStarted,
  signalAwaited,
  signalReceived,
  sleepSet,
  START_AT,
  started,
  stepCompleted,
  stepQueued,
  stepSpent,
  stepStarted,
} from "./journal-entries.ts";

/**
 * A journal that the engine could have written, told by the choices among what may come next. It ends where the
 * execution does, or with the choices.
 */
export function legalJournal(choices: readonly number[]): readonly Entry[] {
  const journal: Entry[] = [started()];
  const state = foldOf(...journal);
  for (const [index, choice] of choices.entries()) {
    const moves = legalMoves(state, START_AT + index);
    for (const entry of moves[choice % moves.length] ?? []) {
      journal.push(entry);
      fold(state, entry);
    }
  }
  return journal;
}

/** Each move is the entries that are written together. */
function legalMoves(state: State, at: number): (readonly Entry[])[] {
  if (state.end !== undefined) return [];
  const moves: (readonly Entry[])[] = [[signalReceived({ at })], [signalReceived({ name: "stop", bytes: 9, at })]];
  moves.push(...answers(state, at));
  if (state.ending !== undefined) return [...moves, ...movesOfEnding(state, state.ending, at)];
  for (const operation of state.open.values()) moves.push(...movesOf(state, operation, at));
  if (state.pause !== undefined) return [...moves, [resumed(at)]];
  const op = state.operations.length;
  const open = [...state.open.values()].map(({ op: number, kind, name }) => ({ op: number, kind, name }));
  const ahead: readonly Entry[] = open.length === 0 ? [] : [{ type: "abandoned", ops: open, at }];
  moves.push(
    [stepStarted(op, { at })],
    [stepStarted(op, { rollback: true, at })],
    [stepQueued(op, { at })],
    [sleepSet(op, at + 9, { at })],
  );
  moves.push([callbackCreated(op, { at })], [callbackCreated(op, { dueAt: at + 9, schema: true, at })]);
  for (const { op: created } of state.callbacks.values()) moves.push([callbackAwaited(op, created, { at })]);
  moves.push([childRequested(op, { at })], [childAwaited(op, { at })], [childAwaited(op, { dueAt: at + 9, at })]);
  moves.push(
    [messageRequested(op, { at })],
    [signalAwaited(op, { at })],
    [signalAwaited(op, { signal: "stop", dueAt: at + 9, at })],
  );
  moves.push([paused({ at })], [{ type: "progress", value: [op], at }]);
  // Not sooner, as most journals would be short.
  if (op >= 3) moves.push([...ahead, completed({ at })]);
  if (op >= 3 && stepsToRollBack(state).length > 0) moves.push([...ahead, ending({ at })]);
  if (state.cancelRequestedAt === undefined) moves.push([{ type: "cancel-requested", at }]);
  else if (!state.cancelDelivered) moves.push([{ type: "cancel-delivered", ops: open, at }]);
  return moves;
}

/** Of each callback one answer, while it is open and the code has not ended. */
function answers(state: State, at: number): (readonly Entry[])[] {
  if (state.ending !== undefined) return [];
  const open = [...state.callbacks.values()].filter(({ answer, isExpired }) => answer === undefined && !isExpired);
  return open.map(({ op }) => [callbackAnswered(op, { at })]);
}

function movesOf(state: State, operation: LastingOperation, at: number): (readonly Entry[])[] {
  const { op } = operation;
  switch (operation.kind) {
    case "sleep":
      return state.pause === undefined ? [[{ type: "timer-fired", op, at }]] : [];
    case "signal": {
      const [first] = state.unread.get(operation.signal) ?? [];
      if (state.pause !== undefined) return [];
      if (first === undefined) return operation.dueAt === undefined ? [] : [[{ type: "signal-timed-out", op, at }]];
      const taken: Entry = { type: "signal-taken", op, received: first.entry, at };
      return [[taken], [taken, { type: "signal-returned", op, received: first.entry, at }]];
    }
    case "callback-result": {
      const answered = state.callbacks.get(operation.callback)?.answer !== undefined;
      if (state.pause !== undefined || (!answered && operation.dueAt === undefined)) return [];
      return [[{ type: answered ? "callback-taken" : "callback-timed-out", op, at }]];
    }
    case "child":
    case "execution":
    case "message":
      return movesOfNeighbour(state, operation, at);
    case "step": {
      const attempt = operation.attempts;
      if (operation.phase !== "running")
        return state.pause === undefined ? [[attemptStarted(op, attempt + 1, at)]] : [];
      return [
        [stepCompleted(op, { at })],
        [attemptRetried(op, { attempt, at })],
        [stepSpent(op, { attempt, at })],
        [stepSpent(op, { attempt, spent: "terminal", at })],
        [{ type: "object-lost", ops: [op], at }],
        ...(state.pause === undefined ? [] : [[{ type: "attempts-withdrawn", ops: [op], at } as const]]),
      ];
    }
  }
}

function movesOfNeighbour(
  state: State,
  operation: Extract<LastingOperation, { readonly kind: "child" | "execution" | "message" }>,
  at: number,
): (readonly Entry[])[] {
  const { op, kind, workflow, id } = operation;
  const refused = { op, code: "NOT_FOUND", message: "There is none.", at };
  if (kind === "message") return [[{ type: "message-accepted", op, at }], [{ type: "message-refused", ...refused }]];
  if (kind === "child") {
    return [
      [{ type: "child-started", op, at }],
      [{ type: "child-started", op, adopted: true, at }],
      [{ type: "child-refused", ...refused }],
      [deliveryFailed(op, { what: "start", workflow, id, at })],
    ];
  }
  const end = state.ends.get(`${workflow}/${id}`);
  const moves: (readonly Entry[])[] = [[{ type: "child-watched", op, askAt: at + 9, at }]];
  if (end === undefined) moves.push([childEnded(id, { at })]);
  if (state.pause !== undefined) return moves;
  moves.push([{ type: "child-wait-refused", ...refused }]);
  if (operation.dueAt !== undefined) moves.push([{ type: "child-wait-timed-out", op, at }]);
  if (end !== undefined) moves.push([{ type: "child-wait-ended", op, ended: end.entry, at }]);
  return moves;
}

function movesOfEnding(state: State, outcome: Ending["outcome"], at: number): (readonly Entry[])[] {
  const terminated = cancelled({ by: "terminated", at });
  const left = [...state.openRollbacks.keys()].map((op) => rollbackNotRun(op, at));
  const rollback = currentRollback(state);
  const pause: Entry = state.pause === undefined ? paused({ at }) : resumed(at);
  const moves: (readonly Entry[])[] = [[pause], [...left, terminated]];
  if (rollback === undefined) return state.pause === undefined ? [...moves, [{ ...outcome, at }]] : moves;
  const { op, attempts } = rollback;
  if (rollback.phase !== "running") {
    return state.pause === undefined
      ? [...moves, [rollbackStarted(op, attempts + 1, at)], [rollbackNotRun(op, at)]]
      : moves;
  }
  moves.push([rollbackCompleted(op, at)], [rollbackRetried(op, { attempt: attempts, at })]);
  moves.push([rollbackSpent(op, { attempt: attempts, at })]);
  if (state.pause !== undefined) moves.push([{ type: "attempts-withdrawn", ops: [op], at }]);
  return moves;
}
