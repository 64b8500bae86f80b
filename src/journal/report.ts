import { LIMITS } from "../limits.ts";
import type { Attributes } from "./attributes.ts";
import type { ExecutionName } from "./execution-name.ts";
import type { State } from "./state.ts";
import type { ExecutionState } from "./execution-state.ts";
import { executionState, reasonOf } from "./view.ts";

/** What the directory is told of an execution: a function of its journal, whose length tells an older one from a newer. */
export interface Report extends ExecutionName {
  readonly version?: string;
  readonly state: ExecutionState;
  /** Of a fork that of the original, as in its view. */
  readonly startedAt: number;
  /** When this execution came into being: tells it from an earlier one of its name. */
  readonly createdAt: number;
  /** How many entries it was made from, those of reports at their end left out. */
  readonly sequence: number;
  readonly endedAt?: number;
  /** When an ended one is purged. */
  readonly purgeAt?: number;
  /** Why it is paused, or how it failed. */
  readonly code?: string;
  readonly attributes: Attributes;
}

/** One execution of its name, which later ones may take over. */
export interface Incarnation extends ExecutionName {
  readonly createdAt: number;
}

/** What the directory is told now. Everything that was appended must have been committed. */
export function reportOf(state: State): Report {
  const { started, forked, end, facts } = state;
  if (started === undefined) throw new Error("Cannot report an execution that has not started.");
  const { workflow, id, version } = started;
  const shown = stateOf(state);
  const code = shown === "paused" || shown === "failed" ? reasonOf(state)?.code : undefined;
  return {
    workflow,
    id,
    ...(version !== undefined && { version }),
    state: shown,
    startedAt: started.at,
    createdAt: forked?.at ?? started.at,
    sequence: facts,
    ...(end !== undefined && { endedAt: end.at, purgeAt: end.at + started.retentionMs }),
    ...(code !== undefined && { code }),
    attributes: state.attributes,
  };
}

/** Nothing but its journal decides: code that waits for nothing that is journaled runs. */
export function stateOf(state: State): ExecutionState {
  const isWithCode = state.open.size === 0 && state.runFailure === undefined && state.ending === undefined;
  return executionState(state, isWithCode);
}

/** What of it is worth another report. */
export function contentOf({ state, code, attributes }: Report): string {
  return JSON.stringify([state, code, attributes]);
}

/** True where a report says more than what is known. Late and repeated ones do not. */
export function isNews(
  report: Pick<Report, "createdAt" | "sequence">,
  known: Pick<Report, "createdAt" | "sequence"> | undefined,
): boolean {
  if (known === undefined || report.createdAt > known.createdAt) return true;
  return report.createdAt === known.createdAt && report.sequence > known.sequence;
}

/** What an object knows of its own reports. */
export interface Telling {
  /** The sequence of the last one that it sent, and of the last that was acknowledged. */
  readonly sentUpTo: number;
  readonly acknowledgedUpTo: number;
  /** What the directory was told last, as far as is known. */
  readonly told: string | undefined;
  /** When it was last told what it need not be told. */
  readonly toldAt: number;
  /** Since when something else is true; `undefined` where that begins now. */
  readonly changedAt: number | undefined;
  readonly isAtRest: boolean;
}

export type ReportDecision =
  | { readonly kind: "none" }
  /** `owed`: until it is acknowledged. */
  | { readonly kind: "now"; readonly owed: boolean }
  | { readonly kind: "later"; readonly at: number };

/**
 * Whether the directory is told now. What it has to know at once; whether the execution runs or waits at most every ten
 * seconds, and that it runs only when it has run for as long.
 */
export function decideReport(state: State, telling: Telling, now: number): ReportDecision {
  const { unreported } = state;
  if (!state.isListed || state.started === undefined || state.unreadable !== undefined) return { kind: "none" };
  if (unreported !== undefined && unreported.entry >= telling.acknowledgedUpTo) {
    const isDue = unreported.entry >= telling.sentUpTo || (unreported.dueAt !== undefined && unreported.dueAt <= now);
    return isDue ? { kind: "now", owed: true } : { kind: "none" };
  }
  if (telling.told === contentOf(reportOf(state))) return { kind: "none" };
  const since = telling.isAtRest ? telling.toldAt : Math.max(telling.toldAt, telling.changedAt ?? now);
  const at = since + LIMITS.stateReportMs;
  return at <= now ? { kind: "now", owed: false } : { kind: "later", at };
}
