import { LIMITS } from "../limits.ts";
import { abandoned } from "./ending.ts";
import type { Encoded, Entry } from "./entry.ts";
import { rollbacksNotRun } from "./rollback.ts";
import type { State } from "./state.ts";
import { truncateUtf8 } from "./value-text.ts";
import type { SignalReceived } from "./wait-entry.ts";

export type Command = "cancel" | "terminate" | "pause" | "resume";

/** What a request to an execution leads to. `unchanged`: it already is so. */
export type Decision =
  | { readonly kind: "entries"; readonly entries: readonly Entry[] }
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "refused";
      readonly code: "EXECUTION_ENDED" | "SIGNAL_LIMIT" | "UNSUPPORTED";
      readonly message: string;
    };

const UNCHANGED = { kind: "unchanged" } as const;

export function decideCommand(
  state: State,
  request: { readonly command: Command; readonly reason?: string },
  at: number,
): Decision {
  const { command } = request;
  const reason = request.reason === undefined ? undefined : truncateUtf8(request.reason, LIMITS.reasonBytes);
  if (state.end !== undefined) {
    const isSo = state.end.type === "cancelled" && (command === "cancel" || command === "terminate");
    return isSo ? UNCHANGED : ended(state.end.type);
  }
  if (state.unreadable !== undefined) return unreadable(state.unreadable);
  const given = reason === undefined ? {} : { reason };
  switch (command) {
    case "pause": {
      if (state.pause !== undefined) return UNCHANGED;
      const message = reason ?? "Somebody asked for it.";
      return entries({ type: "paused", by: "request", code: "PAUSED", message, at });
    }
    case "resume":
      return state.pause === undefined ? UNCHANGED : entries({ type: "resumed", at });
    case "cancel": {
      // How it ends is decided once its rollbacks run.
      if (state.ending !== undefined) return UNCHANGED;
      if (state.cancelRequestedAt !== undefined) {
        const isHeld = state.pause !== undefined && !state.cancelDelivered;
        return isHeld ? entries({ type: "resumed", at }) : UNCHANGED;
      }
      const cancel = { type: "cancel-requested" as const, ...given, at };
      // There is nothing to compensate yet, and the code must not run before its time.
      if (state.startAt !== undefined) return entries(cancel, { type: "cancelled", by: "before-start", ...given, at });
      // A paused execution goes on, to compensate.
      return state.pause === undefined ? entries(cancel) : entries(cancel, { type: "resumed", at });
    }
    case "terminate":
      return entries(...abandoned(state, at), ...rollbacksNotRun(state, "TERMINATED", at), {
        type: "cancelled",
        by: "terminated",
        ...given,
        at,
      });
  }
}

export interface IncomingSignal {
  readonly name: string;
  /** Encodes the value, if it is taken. */
  readonly value: () => Encoded;
  readonly bytes: number;
  readonly key?: string;
}

/** Signals are kept when they arrive, awaited or not. A known key is answered as the first time, also after the end. */
export function decideSignal(state: State, signal: IncomingSignal, at: number): Decision {
  if (signal.key !== undefined && state.signalKeys.has(signal.key)) return UNCHANGED;
  if (state.end !== undefined) return ended(state.end.type);
  if (state.unreadable !== undefined) return unreadable(state.unreadable);
  const { bufferedSignals, bufferedSignalBytes } = LIMITS;
  if (state.unreadSignals >= bufferedSignals || state.unreadBytes + signal.bytes > bufferedSignalBytes) {
    return {
      kind: "refused",
      code: "SIGNAL_LIMIT",
      message:
        `Cannot take another signal as at most ${bufferedSignals} with ${bufferedSignalBytes} bytes may be unread: ` +
        `current value is ${state.unreadSignals} with ${state.unreadBytes} bytes`,
    };
  }
  const received: SignalReceived = { type: "signal-received", ...signal, value: signal.value(), at };
  return entries(received);
}

function entries(...list: readonly Entry[]): Decision {
  return { kind: "entries", entries: list };
}

function unreadable(what: string): Decision {
  const message = `Cannot change the execution as a newer engine wrote its journal: current value is ${what}`;
  return { kind: "refused", code: "UNSUPPORTED", message };
}

function ended(how: string): Decision {
  return {
    kind: "refused",
    code: "EXECUTION_ENDED",
    message: `Cannot change the execution as it has ended: current value is ${how}`,
  };
}
