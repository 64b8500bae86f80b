import { LIMITS } from "../limits.ts";
import { nameText, type ExecutionName } from "./execution-name.ts";
import type { State } from "./state.ts";

interface Sent {
  readonly to: ExecutionName;
  /** When it is to be sent, or sent again. */
  dueAt: number;
  /** In a row. */
  failures: number;
  /** How often the other execution has answered that it has not ended. */
  asks: number;
}

/** What the code waits for the answer to. */
export interface Asking extends Sent {
  readonly what: "start" | "watch" | "message";
  /** The operation that it is for. */
  readonly op: number;
}

/** What nothing here waits for: the cancellation of a child, and the own end. */
export type Reporting =
  | (Sent & { readonly what: "cancel"; readonly op: number })
  | (Sent & { readonly what: "tell"; readonly op?: undefined });

/** Something that is to be sent to another execution until it answers. */
export type Undelivered = Asking | Reporting;

type Addressed<M extends Undelivered = Undelivered> = M extends Undelivered ? Pick<M, "what" | "op" | "to"> : never;

/** What tells one message from another: for an operation there is at most one of each kind. */
export function deliveryKey({ what, op, to }: Pick<Undelivered, "what" | "op" | "to">): string {
  return `${what} ${op ?? nameText(to)}`;
}

export function putOut(state: State, message: Addressed, dueAt: number): void {
  state.outbox.set(deliveryKey(message), { ...message, dueAt, failures: 0, asks: 0 });
}

/**
 * What may be sent, due or not. As long as a start is not acknowledged, nothing else goes to the execution that it is
 * for: that would be refused, as if it did not exist. Messages of the code to one execution arrive in their order.
 */
export function sendable({ outbox }: State): Undelivered[] {
  const starting = new Set<string>();
  for (const { what, to } of outbox.values()) if (what === "start") starting.add(nameText(to));
  const taken = new Set<string>();
  return [...outbox.values()].filter(({ what, to }) => {
    const name = nameText(to);
    if (what === "start" || what === "tell") return true;
    if (starting.has(name)) return false;
    if (what !== "message") return true;
    const isFirst = !taken.has(name);
    taken.add(name);
    return isFirst;
  });
}

/** When something is to be sent next. */
export function nextDeliveryAt(state: State): number | undefined {
  if (state.outbox.size === 0) return undefined;
  let earliest = Number.POSITIVE_INFINITY;
  for (const { dueAt } of sendable(state)) earliest = Math.min(earliest, dueAt);
  return earliest;
}

/** When an execution is asked again that has not ended: after a minute, then twice as long each time, up to a day. */
export function askAgainAt(asks: number, now: number): number {
  return now + Math.min(LIMITS.askFirstMs * 2 ** asks, LIMITS.askMs);
}
