import { cancelChildren, CHILD_FOLD } from "./child-fold.ts";
import { isEnd, JOURNAL_FORMAT, type Ended, type Entry } from "./entry.ts";
import { CALLBACK_FOLD } from "./callback-fold.ts";
import { FORK_FOLD } from "./fork-fold.ts";
import { LIMITS } from "../limits.ts";
import { valueOf } from "./entry-value.ts";
import { JournalFault } from "./journal-fault.ts";
import { beginDeliveriesAnew, MESSAGE_FOLD, tellWatchers } from "./message-fold.ts";
import { closeAsked, openStep, settle } from "./operation-fold.ts";
import { oweReport, REPORT_FOLD } from "./report-fold.ts";
import { ROLLBACK_FOLD, withdrawRollback } from "./rollback-fold.ts";
import { resume, type State } from "./state.ts";
import { STEP_FOLD, withdrawStep } from "./step-fold.ts";
import { WAIT_FOLD } from "./wait-fold.ts";

type Fold = {
  readonly [Type in Entry["type"]]: (state: State, entry: Extract<Entry, { readonly type: Type }>) => void;
};

/** Takes one entry into the state. An entry of an unknown type makes the state unreadable and changes nothing else. */
export function fold(state: State, entry: Entry): void {
  // What comes after something unknown may speak of what it brought about. Only an end can be told by itself.
  const isTold = state.unreadable === undefined || isEnd(entry);
  // The cast: which function fits which entry is what the table's type has already checked.
  const apply = FOLD[entry.type] as ((state: State, entry: Entry) => void) | undefined;
  if (apply === undefined) state.unreadable ??= entry.type;
  else if (isTold) {
    apply(state, entry);
    oweReport(state, entry);
  }
  measure(state, entry);
  state.entries += 1;
}

const FOLD: Fold = {
  started(state, entry) {
    if (state.entries > 0) throw new JournalFault(`entry ${state.entries} starts it again`);
    state.started = entry;
    state.startAt = entry.startAt;
    state.attributes = entry.attributes ?? {};
    if (entry.format > JOURNAL_FORMAT) state.unreadable = `format ${entry.format}`;
  },
  ...STEP_FOLD,
  ...WAIT_FOLD,
  ...CALLBACK_FOLD,
  ...CHILD_FOLD,
  ...MESSAGE_FOLD,
  ...FORK_FOLD,
  ...REPORT_FOLD,
  "cancel-requested"(state, entry) {
    state.cancelRequestedAt ??= entry.at;
    state.cancelReason ??= entry.reason;
    state.cancelBy ??= entry.by ?? "request";
  },
  "cancel-delivered"(state, entry) {
    state.cancelDelivered = true;
    for (const asked of entry.ops) {
      closeAsked(state, asked, "cancelled");
      settle(state, { kind: "cancelled", op: asked.op, at: entry.at, reason: state.cancelReason });
    }
    cancelChildren(state, entry.at);
  },
  "run-failed"(state, entry) {
    state.runFailures = entry.attempt;
    state.runFailure = entry;
  },
  "run-started"(state) {
    state.startAt = undefined;
    state.runFailure = undefined;
  },
  paused(state, entry) {
    state.pause = entry;
  },
  resumed(state, entry) {
    resume(state, entry.at);
    beginDeliveriesAnew(state, entry.at);
  },
  "attempts-withdrawn"(state, entry) {
    for (const op of entry.ops) {
      // Steps first, rollbacks once it is ending: never both.
      state.attempts -= 1;
      if (state.ending !== undefined) withdrawRollback(state, op);
      else withdrawStep(openStep(state, op));
    }
  },
  "object-lost"(state, entry) {
    if (entry.blamed === undefined) state.losses += 1;
    for (const op of entry.ops) {
      const step = openStep(state, op);
      step.phase = "interrupted";
      step.uncharged += 1;
      step.deaths += 1;
      step.watch = "none";
    }
  },
  recovered(state) {
    state.losses = 0;
  },
  progress(state, entry) {
    state.progress = entry.value;
    state.progressEntries += 1;
  },
  attributes(state, entry) {
    state.attributes = { ...state.attributes, ...entry.values };
    state.attributeEntries += 1;
  },
  patched(state, entry) {
    state.patches.add(entry.id);
  },
  abandoned(state, entry) {
    for (const asked of entry.ops) closeAsked(state, asked, "abandoned");
  },
  ...ROLLBACK_FOLD,
  ending(state, entry) {
    ROLLBACK_FOLD.ending(state, entry);
    cancelChildren(state, entry.at);
  },
  completed: end,
  failed: end,
  cancelled: end,
};

function measure(state: State, entry: Entry): void {
  const value = valueOf(entry);
  // The end that was journaled ahead is written again, with the same value.
  if (typeof value !== "object" || !("blob" in value) || value.blob !== state.entries) return;
  state.largeLength += value.length;
  state.largeRows += Math.ceil(value.length / LIMITS.blobPartBytes);
}

function end(state: State, entry: Ended): void {
  if (state.end !== undefined) throw new JournalFault(`entry ${state.entries} ends it again`);
  state.end = entry;
  state.pause = undefined;
  state.startAt = undefined;
  state.runFailure = undefined;
  cancelChildren(state, entry.at);
  tellWatchers(state, entry.at);
}
