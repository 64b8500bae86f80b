import { nameText } from "./execution-name.ts";
import { JournalFault } from "./journal-fault.ts";
import type {
  DeliveryFailed,
  MessageAccepted,
  MessageRefused,
  MessageRequested,
  Watched,
  WatchersTold,
} from "./message-entry.ts";
import { ask, closeWait, settle } from "./operation-fold.ts";
import { deliveryKey, putOut } from "./outbox.ts";
import type { MessageOperation } from "./execution-operations.ts";
import type { Settlement, State } from "./state.ts";

/** The part of the fold that is about messages between executions. */
export const MESSAGE_FOLD = {
  "message-requested"(state: State, entry: MessageRequested): void {
    const { op, name, workflow, id, message } = entry;
    ask(state, { kind: "message", op, name, workflow, id, message, phase: "open" });
    putOut(state, { what: "message", op, to: { workflow, id } }, entry.at);
  },
  "message-accepted"(state: State, entry: MessageAccepted): void {
    answer(state, { kind: "elapsed", op: entry.op, at: entry.at });
  },
  "message-refused"(state: State, entry: MessageRefused): void {
    const { op, code, message, at } = entry;
    answer(state, { kind: "refused", op, code, message, at });
  },
  "delivery-failed"(state: State, entry: DeliveryFailed): void {
    const { what, op, workflow, id } = entry;
    const key = deliveryKey({ what, op, to: { workflow, id } });
    const message = state.outbox.get(key);
    if (message === undefined) throw new JournalFault(`entry ${state.entries} speaks of delivery ${key}`);
    message.failures = entry.attempt;
    message.dueAt = entry.retryAt;
  },
  watched(state: State, entry: Watched): void {
    state.watchers.set(nameText(entry.by), entry.by);
  },
  "watchers-told"(state: State, entry: WatchersTold): void {
    for (const to of entry.watchers) state.outbox.delete(deliveryKey({ what: "tell", to }));
  },
};

/** The end is told to the parent and to everybody who asked for it. */
export function tellWatchers(state: State, dueAt: number): void {
  // A fork is no child of the original's parent.
  const { workflow, id } = (state.forked === undefined ? state.started?.parent : undefined) ?? {};
  if (workflow !== undefined && id !== undefined) putOut(state, { what: "tell", to: { workflow, id } }, dueAt);
  for (const to of state.watchers.values()) putOut(state, { what: "tell", to }, dueAt);
}

/** What has failed begins anew at a resume. */
export function beginDeliveriesAnew(state: State, dueAt: number): void {
  for (const message of state.outbox.values()) {
    if (message.failures === 0) continue;
    message.failures = 0;
    message.dueAt = dueAt;
  }
}

/** It was delivered: the other execution has it, or will not take it. */
function answer(state: State, settlement: Settlement): void {
  const message = messageAt(state, settlement.op);
  message.message = undefined;
  state.outbox.delete(deliveryKey({ what: "message", op: message.op, to: message }));
  if (message.phase !== "open") return;
  closeWait(state, message.op);
  settle(state, settlement);
}

function messageAt(state: State, op: number): MessageOperation {
  const operation = state.operations[op];
  if (operation?.kind !== "message") throw new JournalFault(`entry ${state.entries} speaks of message ${op}`);
  return operation;
}
