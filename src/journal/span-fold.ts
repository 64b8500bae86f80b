import type { Asked, Ended, Entry, Started } from "./entry.ts";
import type { ForkedFrom } from "./fork-entry.ts";
import { deriveKey } from "./draw.ts";
import { keyOwner } from "./key-owner.ts";
import {
  attemptSpanId,
  childSpanId,
  executionPlace,
  operationSpanId,
  type ExecutionSpan,
  type SpanOwner,
  type SpanPlace,
} from "./span.ts";

type OpenKind = "step" | "rollback" | "child";

interface OpenSpan {
  readonly kind: OpenKind;
  readonly op: number;
  readonly name: string;
  startedAt: number;
  attempts: number;
  /** When the attempt began that is in flight. */
  attemptAt: number | undefined;
}

/** What has begun and is not over, folded from the entries of a journal. */
export interface SpanFold {
  readonly started: Started;
  forked: ForkedFrom | undefined;
  owner: SpanOwner;
  place: SpanPlace;
  links: ExecutionSpan["links"];
  /** By kind and number. */
  readonly open: Map<string, OpenSpan>;
  /** Names of steps, by which their rollbacks go. */
  readonly names: Map<number, string>;
}

/** Takes the first entry of a journal. */
export function beginSpans(started: Started): SpanFold {
  const owner = keyOwner(started);
  const place = executionPlace(started, owner, undefined);
  return { started, forked: undefined, owner, place, links: [], open: new Map(), names: new Map() };
}

type SpanError = NonNullable<ExecutionSpan["error"]>;

/** What ends an operation or an attempt. */
interface End {
  readonly at: number;
  readonly outcome: string;
  readonly error?: SpanError;
}

/**
 * Takes one of the entries after the first, and gives the spans that are over by it: as many for a journal that is folded as a whole as for one
 * that is folded piece by piece.
 */
export function foldSpans(fold: SpanFold, entry: Entry): readonly ExecutionSpan[] {
  const { at } = entry;
  switch (entry.type) {
    case "forked-from":
      return fork(fold, entry);
    case "queued":
      return open(fold, { kind: "step", op: entry.op, name: entry.name, at });
    case "attempt-started":
      if (entry.kind !== undefined) open(fold, { kind: "step", op: entry.op, name: entry.name, at });
      return startAttempt(fold, `step ${entry.op}`, entry);
    case "rollback-started":
      open(fold, { kind: "rollback", op: entry.op, name: fold.names.get(entry.op) ?? "", at });
      return startAttempt(fold, `rollback ${entry.op}`, entry);
    case "attempt-failed":
    case "rollback-failed": {
      const label = `${entry.type === "attempt-failed" ? "step" : "rollback"} ${entry.op}`;
      const { name, message } = entry.failure;
      const end = { at, outcome: entry.spent ?? "failed", error: { name, message } };
      return entry.spent === undefined
        ? endAttempt(fold, label, { ...end, outcome: "retried" })
        : close(fold, label, end);
    }
    case "step-completed":
      return close(fold, `step ${entry.op}`, { at, outcome: "completed" });
    case "rollback-completed":
      return close(fold, `rollback ${entry.op}`, { at, outcome: "completed" });
    case "rollback-not-run":
      return close(fold, `rollback ${entry.op}`, {
        at,
        outcome: "not-run",
        error: { name: "NotRun", message: entry.reason },
      });
    case "child-requested":
      return open(fold, { kind: "child", op: entry.op, name: entry.workflow, at });
    case "child-started":
      return close(fold, `child ${entry.op}`, { at, outcome: entry.adopted === true ? "adopted" : "started" });
    case "child-refused":
      return close(fold, `child ${entry.op}`, {
        at,
        outcome: "refused",
        error: { name: entry.code, message: entry.message },
      });
    case "object-lost":
      return entry.ops.flatMap((op) => interrupt(fold, op, at));
    case "attempts-withdrawn":
      return entry.ops.flatMap((op) => withdraw(fold, op));
    case "cancel-delivered":
      return entry.ops.flatMap((asked) => close(fold, labelOf(asked), { at, outcome: "cancelled" }));
    case "abandoned":
      return entry.ops.flatMap((asked) => close(fold, labelOf(asked), { at, outcome: "abandoned" }));
    case "completed":
    case "failed":
    case "cancelled":
      return endExecution(fold, entry);
    default:
      // Of waits, messages and notes there are no spans.
      return [];
  }
}

/** The operations that the copy leaves open begin anew, under an execution of their own. */
function fork(fold: SpanFold, entry: ForkedFrom): [] {
  const { started, forked } = fold;
  const original = keyOwner({ ...started, id: entry.id }, forked);
  const { traceId, spanId } = executionPlace(started, original, undefined);
  fold.forked = entry;
  fold.owner = keyOwner(started, entry);
  fold.place = executionPlace(started, fold.owner, original);
  fold.links = [{ traceId, spanId }];
  for (const one of fold.open.values()) {
    one.startedAt = entry.at;
    one.attemptAt = undefined;
  }
  return [];
}

function open(
  fold: SpanFold,
  { kind, op, name, at }: Pick<OpenSpan, "kind" | "op" | "name"> & { readonly at: number },
): [] {
  const label = `${kind} ${op}`;
  if (kind === "step") fold.names.set(op, name);
  if (!fold.open.has(label)) {
    fold.open.set(label, { kind, op, name, startedAt: at, attempts: 0, attemptAt: undefined });
  }
  return [];
}

function startAttempt(
  fold: SpanFold,
  label: string,
  { attempt, at }: { readonly attempt: number; readonly at: number },
): [] {
  const one = fold.open.get(label);
  if (one !== undefined) {
    one.attempts = attempt;
    one.attemptAt = at;
  }
  return [];
}

function endAttempt(fold: SpanFold, label: string, { at, outcome, error }: End): ExecutionSpan[] {
  const one = fold.open.get(label);
  if (one?.attemptAt === undefined) return [];
  const startedAt = one.attemptAt;
  one.attemptAt = undefined;
  const spanId = attemptSpanId(fold.owner, label, one.attempts);
  const place = { ...fold.place, spanId, parentSpanId: spanIdOf(fold, one) };
  const attributes = { ...attributesOf(fold, one), "stepwell.attempt": one.attempts, "stepwell.outcome": outcome };
  return [
    {
      ...place,
      kind: "attempt",
      name: one.name,
      startedAt,
      endedAt: at,
      attributes,
      links: [],
      ...(error && { error }),
    },
  ];
}

function close(fold: SpanFold, label: string, end: End): ExecutionSpan[] {
  const one = fold.open.get(label);
  if (one === undefined) return [];
  const attempts = endAttempt(fold, label, end);
  fold.open.delete(label);
  const { at, outcome, error } = end;
  const { kind, name, startedAt } = one;
  const counted = kind === "child" ? {} : { "stepwell.attempts": one.attempts };
  const attributes = { ...attributesOf(fold, one), ...counted, "stepwell.outcome": outcome };
  const place = { ...fold.place, spanId: spanIdOf(fold, one), parentSpanId: fold.place.spanId };
  return [
    ...attempts,
    { ...place, kind, name, startedAt, endedAt: at, attributes, links: [], ...(error && { error }) },
  ];
}

/** The object was lost: whose attempt it was, was not charged with that. */
function interrupt(fold: SpanFold, op: number, at: number): ExecutionSpan[] {
  const error = { name: "StepInterrupted", message: "The object was lost during the attempt." };
  const end = { at, outcome: "interrupted", error };
  return [...endAttempt(fold, `step ${op}`, end), ...endAttempt(fold, `rollback ${op}`, end)];
}

/** The attempt was never made. */
function withdraw(fold: SpanFold, op: number): [] {
  for (const one of [fold.open.get(`step ${op}`), fold.open.get(`rollback ${op}`)]) {
    if (one !== undefined) one.attemptAt = undefined;
  }
  return [];
}

function endExecution(fold: SpanFold, entry: Ended): ExecutionSpan[] {
  const { started, place, forked, links } = fold;
  const { at, type: outcome } = entry;
  const left = [...fold.open.keys()].flatMap((label) => close(fold, label, { at, outcome: "abandoned" }));
  const error = entry.type === "failed" ? { name: entry.code, message: entry.message } : undefined;
  const startedAt = forked?.at ?? started.at;
  const attributes = { ...identityOf(started), "stepwell.outcome": outcome };
  const span = {
    ...place,
    kind: "execution",
    name: started.workflow,
    startedAt,
    endedAt: at,
    attributes,
    links,
  } as const;
  return [...left, { ...span, ...(error && { error }) }];
}

function spanIdOf({ owner }: SpanFold, { kind, op }: OpenSpan): string {
  // The child knows the key of its start, and takes this span for its parent.
  if (kind === "child") return childSpanId({ key: deriveKey(owner, `child ${op}`) });
  return operationSpanId(owner, `${kind} ${op}`);
}

function labelOf({ kind, op }: Asked): string {
  return `${kind} ${op}`;
}

function attributesOf({ started }: SpanFold, { kind, op, name }: OpenSpan): ExecutionSpan["attributes"] {
  return { ...identityOf(started), [`stepwell.${kind}`]: name, "stepwell.operation": op };
}

function identityOf({ workflow, id, version }: Started): ExecutionSpan["attributes"] {
  return {
    "stepwell.workflow": workflow,
    "stepwell.execution": id,
    ...(version !== undefined && { "stepwell.version": version }),
  };
}
