import type { Entry } from "../journal/entry.ts";
import type { Failure } from "../steps/failure.ts";
import { showLength } from "../steps/show-length.ts";
import type { Tone } from "./tone.ts";
import { plainText } from "./terminal.ts";

/** A fact of a journal, in words. */
export interface Description {
  readonly text: string;
  readonly tone: Tone;
}

/** What every entry has, however it was read. */
export interface AnyEntry {
  readonly type: string;
  readonly at: number;
}

/** Values are shown up to so many characters. */
const SHOWN_LENGTH = 200;

/** One entry as a line of text. */
export function describeEntry(given: AnyEntry): Description {
  // The cast: what a Worker sends is an entry of its version; one of a newer engine falls to the last case.
  const entry = given as Entry;
  switch (entry.type) {
    case "attempt-failed":
    case "rollback-failed":
      return {
        text: `${entry.type === "rollback-failed" ? "rollback " : ""}failed: ${messageOf(entry.failure)}; ${afterFailure(entry)}`,
        tone: entry.spent === undefined ? "waiting" : "bad",
      };
    case "step-completed":
      return { text: "completed", tone: "good" };
    case "timer-set":
      return { text: `sleeps ${until(entry, entry.dueAt)}`, tone: "waiting" };
    case "signal-awaited":
      return waiting(entry, "waits for the signal");
    case "callback-created":
      return waiting(entry, "callback created");
    case "callback-awaited":
      return { text: "waits for the answer", tone: "waiting" };
    case "child-requested":
      return { text: `starts ${entry.workflow}/${entry.id}`, tone: "plain" };
    case "child-awaited":
      return waiting(entry, `waits for the end of ${entry.workflow}/${entry.id}`);
    case "child-ended":
      return { text: `${entry.workflow}/${entry.id} has ended ${entry.outcome.kind}`, tone: "plain" };
    case "child-refused":
    case "child-wait-refused":
    case "message-refused":
      return { text: `refused: ${entry.code} ${entry.message}`, tone: "bad" };
    case "message-requested":
      return { text: `to ${entry.workflow}/${entry.id}: ${entry.message.kind}`, tone: "plain" };
    case "delivery-failed":
      return {
        text: `cannot reach ${entry.workflow}/${entry.id} (${messageOf(entry.failure)}); tries again ${until(entry, entry.retryAt)}`,
        tone: "bad",
      };
    default:
      return describeExecution(entry);
  }
}

type OfExecution = Exclude<Entry, { readonly op: number }>;

/** What concerns the whole execution. */
function describeExecution(entry: OfExecution | Entry): Description {
  switch (entry.type) {
    case "started":
      return { text: `started with ${shown(entry.input)}`, tone: "plain" };
    case "run-failed":
      return {
        text: `the workflow's code failed: ${messageOf(entry.failure)}; runs again ${until(entry, entry.retryAt)}`,
        tone: "bad",
      };
    case "signal-received":
      return { text: `signal ${entry.name} received: ${shown(entry.value)}`, tone: "plain" };
    case "cancel-requested":
      return { text: `cancelled by ${entry.by ?? "request"}${withReason(entry.reason)}`, tone: "waiting" };
    case "paused":
      return { text: `paused: ${entry.code} ${entry.message}`.trimEnd(), tone: "bad" };
    case "object-lost":
      return { text: `object lost with ${counted(entry.ops.length, "attempt")} in flight`, tone: "bad" };
    case "progress":
      return { text: `progress ${shown(entry.value)}`, tone: "plain" };
    case "ending":
      return { text: `ends ${entry.outcome.type}, after its rollbacks`, tone: "waiting" };
    case "forked-from":
      return { text: `forked from ${entry.id} at its entry ${entry.entry}`, tone: "plain" };
    case "rollback-not-run":
      return { text: `rollback not run: ${entry.reason}`, tone: "bad" };
    case "completed":
      return { text: `completed: ${shown(entry.value)}`, tone: "good" };
    case "failed":
      return { text: `failed: ${entry.code} ${entry.message}`.trimEnd(), tone: "bad" };
    case "cancelled":
      return { text: `cancelled by ${entry.by}${withReason(entry.reason)}`, tone: "waiting" };
    default:
      // The other types say all by themselves, also those that a newer engine adds: `timer-fired`, `signal-taken`.
      return { text: entry.type.replaceAll("-", " "), tone: "plain" };
  }
}

/** A value for readers, as JSON and not without bound. */
export function shown(value: unknown): string {
  const text = plainText(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function messageOf(failure: Failure): string {
  return failure.message === "" ? failure.name : failure.message;
}

function withReason(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}

const REASONS: Readonly<Record<string, string>> = {
  backoff: "its backoff",
  "retry-after": "the service's Retry-After",
};

const SPENT: Readonly<Record<string, string>> = {
  attempts: "no attempt is left",
  duration: "its time is spent",
  terminal: "no retry can help",
  refused: "the service asked for a time beyond the bound",
  deadline: "the next attempt would come after the deadline",
  journal: "the journal is full",
};

function afterFailure(entry: Extract<Entry, { readonly type: "attempt-failed" | "rollback-failed" }>): string {
  if (entry.spent !== undefined) return SPENT[entry.spent] ?? entry.spent;
  return `waits for ${REASONS[entry.because] ?? entry.because} ${until(entry, entry.retryAt)}`;
}

function waiting(entry: AnyEntry & { readonly dueAt?: number }, what: string): Description {
  const limit = entry.dueAt === undefined ? "" : ` ${until(entry, entry.dueAt)}`;
  return { text: `${what}${limit}`, tone: "waiting" };
}

const DAY_MS = 86_400_000;

/** The time of the day, with its date where that is another one. */
function until({ at }: AnyEntry, dueAt: number): string {
  const sameDay = Math.floor(at / DAY_MS) === Math.floor(dueAt / DAY_MS);
  const moment = new Date(dueAt)
    .toISOString()
    .slice(sameDay ? 11 : 0, 23)
    .replace("T", " ");
  return `until ${moment} (${showLength(dueAt - at)})`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
