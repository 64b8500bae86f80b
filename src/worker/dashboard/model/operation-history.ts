import type { Asked } from "../../../journal/entry.ts";
import type {
  History,
  OperationHistory,
  OperationStatus,
  ShownEntry,
  Span,
  SpanEnd,
  SpanKind,
  Tries,
} from "./history.ts";

/** What the first entry of an operation says besides its name. */
export type AskedTerms = Partial<
  Pick<OperationHistory, "dueAt" | "policy" | "timeoutMs" | "hasRollback" | "execution" | "subject">
>;

/** The workflow's code asked for it. */
export function askFor(
  history: History,
  entry: Extract<ShownEntry, Asked>,
  { status, ...terms }: AskedTerms & { readonly status: OperationStatus },
): OperationHistory {
  const operation: OperationHistory = {
    op: entry.op,
    kind: entry.kind,
    name: entry.name,
    askedAt: entry.at,
    status,
    endedAt: undefined,
    entries: [entry.entry],
    dueAt: terms.dueAt,
    policy: terms.policy,
    timeoutMs: terms.timeoutMs,
    hasRollback: terms.hasRollback ?? false,
    rollback: undefined,
    given: undefined,
    value: undefined,
    error: undefined,
    execution: terms.execution,
    subject: terms.subject,
    refusal: undefined,
    isAdopted: false,
    attempts: 0,
    lastFailure: undefined,
    spent: undefined,
    retryAt: undefined,
    spans: [],
  };
  history.operations[entry.op] = operation;
  return operation;
}

/** The operation that an entry speaks of; noted with it. */
export function spokenOf(history: History, { op, entry }: { op: number; entry: number }): OperationHistory {
  const operation = history.operations[op];
  // Entries come in the order of the journal, where the first one of an operation stands before all others.
  if (operation === undefined) throw new Error(`Cannot read entry ${entry} as operation ${op} was not asked for.`);
  if (operation.entries.at(-1) !== entry) operation.entries.push(entry);
  return operation;
}

export function beginSpan(tries: Tries, kind: SpanKind, begun: Omit<Span, "kind" | "to" | "ended">): void {
  tries.spans.push({ ...begun, kind, to: undefined, ended: undefined });
}

/** Ends what the operation was doing, if it was doing anything. */
export function endSpan(tries: Tries, at: number, ended: SpanEnd): void {
  const span = tries.spans.at(-1);
  if (span === undefined || span.to !== undefined) return;
  // A fork goes on long after the times of what it has copied; nothing ends before it began.
  span.to = Math.max(span.from, at);
  span.ended = ended;
}

/** How what an operation was doing ends, by how the operation does. */
const ENDED_AS: { readonly [Status in OperationStatus]: SpanEnd } = {
  queued: "withdrawn",
  running: "done",
  waiting: "done",
  completed: "done",
  failed: "failed",
  exhausted: "failed",
  "timed-out": "timed-out",
  refused: "refused",
  cancelled: "cancelled",
  abandoned: "abandoned",
};

/** The operation has its outcome, or will never have one. */
export function close(operation: OperationHistory, at: number, status: OperationStatus): void {
  endSpan(operation, at, ENDED_AS[status]);
  operation.status = status;
  operation.endedAt = at;
  operation.retryAt = undefined;
}
