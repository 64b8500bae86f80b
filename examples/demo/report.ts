import type { Ledger } from "../flaky-service.ts";
import type { Followed } from "./following.ts";
import { checkStep, stepRecords, type StepCheck } from "./step-check.ts";

export interface ReportLine {
  readonly text: string;
  readonly ok: boolean;
}

/** Says how each execution ended, and compares each step's journal with what the service counted. */
export function report(all: readonly Followed[], ledgers: readonly Ledger[]): readonly ReportLine[] {
  const lines: ReportLine[] = [{ text: "", ok: true }];
  for (const { execution, entries } of all) {
    const { workflow } = execution;
    const end = entries.find(({ type }) => type === "completed");
    lines.push(
      end === undefined
        ? { text: `${mark(false)} ${workflow} did not complete`, ok: false }
        : { text: `${mark(true)} ${workflow} completed: ${JSON.stringify(end.value)}`, ok: true },
    );
    const checks = stepRecords(entries).map((record) =>
      checkStep(record, ledgersOfStep(ledgers, { workflow, step: record.name })),
    );
    lines.push(...(workflow === "fan-out" ? [summaryOf(checks)] : checks.map(lineOf)));
    if (checks.length === 0) lines.push({ text: `${mark(false)}   no step was journaled`, ok: false });
  }
  const ok = lines.every((line) => line.ok);
  lines.push({
    text: ok ? "\nEvery execution completed, and no completed step ran again." : "\nNot everything is as promised.",
    ok,
  });
  return lines;
}

interface StepAddress {
  readonly workflow: string;
  /** With its occurrence: `send-mail#2`. */
  readonly step: string;
}

/** The demo starts one execution of each workflow, so a path belongs to one step. */
function ledgersOfStep(ledgers: readonly Ledger[], { workflow, step }: StepAddress): readonly Ledger[] {
  const path = `${PATHS[step] ?? ""}/`;
  const occurrence = step.split("#")[1] ?? "1";
  if (workflow === "fan-out")
    return ledgers.filter((ledger) => ledger.path === `/jobs/tile-${occurrence.padStart(2, "0")}`);
  if (workflow === "reminder") return ledgers.filter((ledger) => ledger.path === `/mails/${occurrence}`);
  return ledgers.filter((ledger) => ledger.path.startsWith(path));
}

const PATHS: Readonly<Record<string, string>> = {
  "reserve-stock": "/stock",
  "charge-card": "/payments",
  ship: "/parcels",
};

function lineOf({ step, hits, attempts, faults }: StepCheck): ReportLine {
  const ok = faults.length === 0;
  const verdict = ok ? "" : `: ${faults.join("; ")}`;
  return { text: `${mark(ok)}   ${step}: ${counted(hits, "hit")}, ${counted(attempts, "attempt")}${verdict}`, ok };
}

function summaryOf(checks: readonly StepCheck[]): ReportLine {
  const sum = (count: (check: StepCheck) => number) => checks.reduce((total, check) => total + count(check), 0);
  const faults = checks.flatMap((check) => check.faults.map((fault) => `${check.step} ${fault}`));
  return lineOf({
    step: `${checks.length} parallel steps`,
    hits: sum(({ hits }) => hits),
    attempts: sum(({ attempts }) => attempts),
    faults,
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function mark(ok: boolean): string {
  return ok ? "✓" : "✗";
}
