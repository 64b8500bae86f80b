import type { Answers, Traffic } from "./drive.ts";
import { countOf } from "./drive.ts";
import { KINDS, type Kind } from "./traffic.ts";

export interface Figures {
  readonly traffic: Traffic;
  readonly connections: number;
  readonly executions: number;
  /** Of workerd, in MiB: before the load, at its end, and when everything was looked up. */
  readonly memoryMib: readonly [before: number, after: number, last: number];
}

const HEADINGS = ["request", "answers", "by status", "p50", "p95", "p99", "longest"] as const;
/** Faults shown; their number is always told. */
const SHOWN = 20;

/** The figures of a run, a line each, as a table of Markdown. */
export function reportLines({ traffic, connections, executions, memoryMib }: Figures): readonly string[] {
  const { answers, seconds } = traffic;
  const rows = [...answers].map(([kind, one]) => rowOf(kind, one));
  const count = countOf(answers);
  const [before, after, last] = memoryMib.map((mib) => Math.round(mib));
  return [
    ...[HEADINGS, HEADINGS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `${count} answers in ${seconds.toFixed(0)} s over ${connections} connections: ${(count / seconds).toFixed(0)} a second`,
    `${executions} executions, ${(executions / seconds).toFixed(0)} a second`,
    `memory of workerd: ${before} MiB before, ${after} MiB at the end of the load, ${last} MiB when all was looked up`,
  ];
}

function rowOf(kind: Kind, { byStatus, times }: Answers): readonly string[] {
  const sorted = times.toSorted((left, right) => left - right);
  const statuses = [...byStatus].toSorted(([left], [right]) => left - right).map(([status, n]) => `${n} × ${status}`);
  const lengths = [0.5, 0.95, 0.99, 1].map((share) => `${percentile(sorted, share).toFixed(0)} ms`);
  return [kind, String(times.length), statuses.join(", "), ...lengths];
}

/** The smallest time that this share of all does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** What a run found, in words; only what is shown is bounded. */
export function verdictLines(faults: readonly string[]): readonly string[] {
  if (faults.length === 0) return ["no refusal, no 5xx, nothing lost, everything ended right and is in the directory"];
  return [...faults.slice(0, SHOWN).map((fault) => `FAULT ${fault}`), `${faults.length} faults`];
}

/** What no run may have: an answer of 5xx, or a kind of request that was not answered at all. */
export function trafficFaults({ answers }: Traffic): readonly string[] {
  const missing = KINDS.filter((kind) => !answers.has(kind)).map((kind) => `nothing was answered to ${kind}`);
  const broken = [...answers].flatMap(([kind, { byStatus }]) =>
    [...byStatus].filter(([status]) => status >= 500).map(([status, n]) => `${n} answers to ${kind} were ${status}`),
  );
  return [...missing, ...broken];
}
