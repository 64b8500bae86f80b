import type { Directory } from "../../src/execution/ports.ts";
import type { DirectoryPort } from "../../src/execution/wire-directory.ts";
import { nameText } from "../../src/journal/execution-name.ts";
import { compareKeys, keyOf, type ExecutionSummary, type ListPage, type ListRequest } from "../../src/journal/list.ts";
import type { Caller, Fate } from "../../src/testing/memory-network.ts";
import { endTurn } from "../../src/testing/turn-end.ts";
import type { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { isNews, type Incarnation, type Report } from "../../src/journal/report.ts";

/** As of the calls between executions; `silent`: it arrives, and is never answered. */
export type ReportFate = Fate | "silent";

export interface DirectoryLine {
  readonly directory: MemoryDirectory;
  readonly clock: () => VirtualClock;
  /** Decides the fate of each call, by its number from 1. */
  readonly fate: (call: number) => ReportFate;
}

const REPEATED_AFTER_MS = 5_000;
const LATE_BY_MS = 45_000;

/** Between executions and a directory in memory: a call leaves, and so does its answer, at the end of a turn. */
export function directoryThrough({ directory, clock, fate }: DirectoryLine) {
  let calls = 0;
  return (caller: Caller, turned: () => void): Directory => {
    const carry = async (tell: () => Promise<void>): Promise<void> => {
      turned();
      await endTurn();
      if (caller.isGone()) return await never();
      calls += 1;
      const met = fate(calls);
      if (met === "lost") throw new Error("Network connection lost.");
      if (met === "late") await clock().delay(LATE_BY_MS);
      if (met === "repeated") void clock().delay(REPEATED_AFTER_MS).then(tell);
      await tell();
      turned();
      await endTurn();
      if (met === "silent" || caller.isGone()) return await never();
      if (met === "unanswered") throw new Error("Network connection lost.");
    };
    return {
      report: (report) => carry(() => directory.report(structuredClone(report))),
      remove: (execution) => carry(() => directory.remove(structuredClone(execution))),
    };
  };
}

async function never(): Promise<never> {
  return await new Promise<never>(() => {});
}

/** A shard of a directory in memory: what it has to find, said as plainly as can be. */
export class MemoryDirectory implements DirectoryPort {
  readonly reports = new Map<string, Report>();
  /** What it was told, known or not. */
  readonly told: (Report | Incarnation)[] = [];

  get(name: string): Report | undefined {
    return this.reports.get(name);
  }

  /** How often it was told of an execution, by the states that were told. */
  statesOf(name: string): readonly string[] {
    return this.told.flatMap((one) => (nameText(one) === name ? ["state" in one ? one.state : "removed"] : []));
  }

  async report(report: Report): Promise<void> {
    this.told.push(report);
    if (isNews(report, this.reports.get(nameText(report)))) this.reports.set(nameText(report), report);
  }

  async remove(execution: Incarnation): Promise<void> {
    this.told.push(execution);
    const known = this.reports.get(nameText(execution));
    if (known !== undefined && known.createdAt <= execution.createdAt) this.reports.delete(nameText(execution));
  }

  async list(request: ListRequest): Promise<ListPage> {
    const { order, limit, after } = request;
    const found = [...this.reports.values()]
      .map(summaryOf)
      .filter((summary) => isFound(summary, request))
      .sort((a, b) => compareKeys(a, b, order))
      .filter((summary) => after === undefined || compareKeys(summary, after, order) > 0);
    const executions = found.slice(0, limit);
    const last = executions.at(-1);
    return { executions, next: found.length > limit && last !== undefined ? keyOf(last) : null };
  }

  async counts() {
    return [...Map.groupBy(this.reports.values(), ({ workflow, state }) => `${workflow}/${state}`).values()].flatMap(
      (group) => group.slice(0, 1).map(({ workflow, state }) => ({ workflow, state, count: group.length })),
    );
  }
}

function summaryOf(report: Report): ExecutionSummary {
  const { createdAt, sequence, purgeAt, ...summary } = report;
  void [createdAt, sequence, purgeAt];
  return summary;
}

function isFound(summary: ExecutionSummary, request: Omit<ListRequest, "limit">): boolean {
  const { startedAfter = 0, startedBefore = Infinity, idPrefix = "", attributes } = request;
  return (
    summary.workflow === (request.workflow ?? summary.workflow) &&
    summary.state === (request.state ?? summary.state) &&
    summary.startedAt >= startedAfter &&
    summary.startedAt < startedBefore &&
    summary.id.startsWith(idPrefix) &&
    Object.entries(attributes).every(
      ([name, text]) => name in summary.attributes && String(summary.attributes[name]) === text,
    )
  );
}
