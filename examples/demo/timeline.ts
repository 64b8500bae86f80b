import { showLength } from "../../src/steps/show-length.ts";
import { operationNames, type JournalEntry } from "./journal-entry.ts";

/** How one line of the timeline is meant: what a terminal shows as a colour. */
export type Tone = "plain" | "good" | "bad" | "waiting";

/** One entry of a journal, ready to be drawn. */
export interface Line {
  /** Unix milliseconds. */
  readonly at: number;
  /** The execution. */
  readonly execution: string;
  /** The operation's name, empty for what concerns the whole execution. */
  readonly operation: string;
  readonly attempt?: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface DrawOptions {
  /** The moment that the first column counts from, in Unix milliseconds. */
  readonly startedAt: number;
  readonly colours: boolean;
}

/** The lines of the entries from number `from` on, one for each. The entries before give the operations their names. */
export function timelineOf(execution: string, entries: readonly JournalEntry[], from = 0): readonly Line[] {
  const names = operationNames(entries);
  return entries.slice(from).map((entry) => ({
    at: entry.at,
    execution,
    operation: (entry.op === undefined ? entry.name : names.get(entry.op)) ?? "",
    ...(entry.attempt === undefined ? {} : { attempt: entry.attempt }),
    ...describe(entry),
  }));
}

/** One line of text: time, execution, operation, attempt, what happened, why it waits and until when. */
export function drawLine(line: Line, { startedAt, colours }: DrawOptions): string {
  const time = `${((line.at - startedAt) / 1_000).toFixed(2)}s`.padStart(8);
  const attempt = line.attempt === undefined ? "" : `attempt ${line.attempt}`;
  const columns = [time, line.execution.padEnd(8), line.operation.padEnd(14), attempt.padEnd(10)];
  return `${columns.join("  ")}  ${colours ? coloured(line.text, line.tone) : line.text}`;
}

const COLOUR_CODES: Readonly<Record<Tone, number>> = { plain: 0, good: 32, bad: 31, waiting: 33 };

function coloured(text: string, tone: Tone): string {
  return tone === "plain" ? text : `\u001b[${COLOUR_CODES[tone]}m${text}\u001b[0m`;
}

type Description = Pick<Line, "text" | "tone">;

function describe(entry: JournalEntry): Description {
  switch (entry.type) {
    case "attempt-failed":
      return {
        text: `failed: ${entry.failure?.message ?? "unknown"}; ${afterFailure(entry)}`,
        tone: entry.spent === undefined ? "waiting" : "bad",
      };
    case "step-completed":
      return { text: "completed", tone: "good" };
    case "timer-set":
      return { text: `sleeps ${until(entry, entry.dueAt)}`, tone: "waiting" };
    case "signal-awaited":
      return {
        text: `waits for the signal${entry.dueAt === undefined ? "" : ` ${until(entry, entry.dueAt)}`}`,
        tone: "waiting",
      };
    case "run-failed":
      return {
        text: `the workflow's code failed: ${entry.failure?.message ?? "unknown"}; runs again ${until(entry, entry.retryAt)}`,
        tone: "bad",
      };
    case "paused":
      return { text: `paused: ${entry.code ?? ""} ${entry.message ?? ""}`.trimEnd(), tone: "bad" };
    case "object-lost":
      return { text: `object lost with ${counted(entry.ops?.length ?? 0, "attempt")} in flight`, tone: "bad" };
    case "completed":
      return { text: `completed: ${JSON.stringify(entry.value)}`, tone: "good" };
    case "failed":
      return { text: `failed: ${entry.code ?? ""} ${entry.message ?? ""}`.trimEnd(), tone: "bad" };
    default:
      // The other types say all by themselves, also those that a newer engine adds: `timer-fired`, `signal-taken`.
      return { text: entry.type.replaceAll("-", " "), tone: "plain" };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  backoff: "its backoff",
  "retry-after": "the service's Retry-After",
};

const LIMITS: Readonly<Record<string, string>> = {
  attempts: "no attempt is left",
  duration: "its time is spent",
  terminal: "no retry can help",
  refused: "the service asked for a time beyond the bound",
};

function afterFailure(entry: JournalEntry): string {
  if (entry.spent !== undefined) return LIMITS[entry.spent] ?? entry.spent;
  const reason = entry.because ?? "";
  return `waits for ${REASONS[reason] ?? reason} ${until(entry, entry.retryAt)}`;
}

function until({ at }: JournalEntry, dueAt: number | undefined): string {
  if (dueAt === undefined) return "without a limit";
  return `until ${new Date(dueAt).toISOString().slice(11, 23)} (${showLength(dueAt - at)})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
