import type { Operation } from "./model-context.ts";

export interface UnreadSignal {
  readonly name: string;
  readonly value: unknown;
  readonly at: number;
}

/** A wait that settles with a message; its time is that of the message. */
interface Taken {
  readonly time: number;
  readonly operation: Operation;
  readonly value: object;
}

/** What waits get of the signals, which it takes out of `unread`, and of the answers to callbacks. */
export function takeMessages(open: readonly Operation[], unread: UnreadSignal[]): readonly Taken[] {
  const answers = open.flatMap((operation) => {
    const answer = operation.callback?.answer;
    return answer === undefined ? [] : [takenBy(operation, answer)];
  });
  return [...takeSignals(open, unread), ...answers];
}

/**
 * Signals of one name are taken in their order, each by the oldest wait that is awaited, else by one that is raced, those
 * of the youngest turn first. At the same time the clock comes before a signal.
 */
function takeSignals(open: readonly Operation[], unread: UnreadSignal[]): readonly Taken[] {
  const rank = ({ listener, turn }: Operation) => (listener === "awaits" ? Number.MAX_SAFE_INTEGER : turn);
  const waits = open.filter(({ signal, listener }) => signal !== undefined && listener !== "left");
  return waits
    .toSorted((a, b) => rank(b) - rank(a))
    .flatMap((operation) => {
      const index = unread.findIndex(({ name, at }) => name === operation.signal && at < operation.dueAt);
      const [signal] = index === -1 ? [] : unread.splice(index, 1);
      return signal === undefined ? [] : [takenBy(operation, signal)];
    });
}

function takenBy(operation: Operation, { value, at }: { readonly value: unknown; readonly at: number }): Taken {
  return { time: at, operation, value: { received: true, value } };
}
