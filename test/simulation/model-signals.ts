import type { Operation } from "./model-context.ts";

export interface UnreadSignal {
  readonly name: string;
  readonly value: unknown;
  readonly at: number;
}

/** A wait that settles with a signal; its time is that of the signal. */
export interface Taken {
  readonly time: number;
  readonly operation: Operation;
  readonly value: object;
}

/**
 * Takes signals out of `unread`, those of one name in their order: each goes to the oldest wait that is awaited, else to
 * one that is raced, those of the youngest turn first. At the same time the clock comes before a signal.
 */
export function takeSignals(open: readonly Operation[], unread: UnreadSignal[]): readonly Taken[] {
  const rank = ({ listener, turn }: Operation) => (listener === "awaits" ? Number.MAX_SAFE_INTEGER : turn);
  const waits = open.filter(({ signal, listener }) => signal !== undefined && listener !== "left");
  return waits
    .toSorted((a, b) => rank(b) - rank(a))
    .flatMap((operation) => {
      const index = unread.findIndex(({ name, at }) => name === operation.signal && at < operation.dueAt);
      const [signal] = index === -1 ? [] : unread.splice(index, 1);
      if (signal === undefined) return [];
      return [{ time: signal.at, operation, value: { received: true, value: signal.value } }];
    });
}
