import type { History, ShownEntry } from "./history.ts";
import { askFor, beginSpan, close, spokenOf } from "./operation-history.ts";

type Of<Type extends ShownEntry["type"]> = Extract<ShownEntry, { readonly type: Type }>;

/** The part of the history that is about sleeps, signals and callbacks. */
export const WAITS = {
  "timer-set"(history: History, entry: Of<"timer-set">): void {
    wait(history, entry, { dueAt: entry.dueAt });
  },
  "timer-fired"(history: History, entry: Of<"timer-fired">): void {
    close(spokenOf(history, entry), entry.at, "completed");
  },
  "signal-received"(history: History, { entry, at, name, value, key }: Of<"signal-received">): void {
    history.signals.push({ entry, at, name, value, key, takenBy: undefined });
  },
  "signal-awaited"(history: History, entry: Of<"signal-awaited">): void {
    wait(history, entry, { dueAt: entry.dueAt, subject: entry.signal });
  },
  "signal-taken"(history: History, entry: Of<"signal-taken">): void {
    const operation = spokenOf(history, entry);
    const signal = signalOf(history, entry.received);
    if (signal !== undefined) {
      signal.takenBy = entry.op;
      operation.value = { entry: signal.entry, value: signal.value };
    }
    close(operation, entry.at, "completed");
  },
  /** Nobody listened any more when it was delivered: somebody else may read it. */
  "signal-returned"(history: History, entry: Of<"signal-returned">): void {
    spokenOf(history, entry).value = undefined;
    const signal = signalOf(history, entry.received);
    if (signal !== undefined) signal.takenBy = undefined;
  },
  "signal-timed-out"(history: History, entry: Of<"signal-timed-out">): void {
    close(spokenOf(history, entry), entry.at, "timed-out");
  },
  "callback-created"(history: History, entry: Of<"callback-created">): void {
    const { dueAt, callback: subject } = entry;
    close(askFor(history, entry, { status: "completed", dueAt, subject }), entry.at, "completed");
  },
  "callback-answered"(history: History, entry: Of<"callback-answered">): void {
    const created = history.operations.find(({ kind, subject }) => kind === "callback" && subject === entry.callback);
    if (created === undefined) return;
    spokenOf(history, { op: created.op, entry: entry.entry }).value = { entry: entry.entry, value: entry.value };
  },
  "callback-awaited"(history: History, entry: Of<"callback-awaited">): void {
    wait(history, entry, { subject: entry.callback, dueAt: createdCallback(history, entry.callback)?.dueAt });
  },
  "callback-taken"(history: History, entry: Of<"callback-taken">): void {
    const operation = spokenOf(history, entry);
    operation.value = createdCallback(history, operation.subject)?.value;
    close(operation, entry.at, "completed");
  },
  "callback-timed-out"(history: History, entry: Of<"callback-timed-out">): void {
    close(spokenOf(history, entry), entry.at, "timed-out");
  },
};

type Waiting = Of<"timer-set" | "signal-awaited" | "callback-awaited" | "child-awaited">;

/** From now to its outcome it does nothing but wait. */
export function wait(history: History, entry: Waiting, terms: Omit<Parameters<typeof askFor>[2], "status">): void {
  const operation = askFor(history, entry, { ...terms, status: "waiting" });
  beginSpan(operation, "wait", { from: entry.at, entry: entry.entry, dueAt: terms.dueAt });
}

function signalOf(history: History, received: number) {
  return history.signals.find(({ entry }) => entry === received);
}

function createdCallback(history: History, callback: string | undefined) {
  return history.operations.find(({ kind, subject }) => kind === "callback" && subject === callback);
}
