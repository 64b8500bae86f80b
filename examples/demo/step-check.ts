import type { Ledger } from "../flaky-service.ts";
import { operationNames, type JournalEntry } from "./journal-entry.ts";

/** What a journal holds about one step. */
export interface StepRecord {
  readonly name: string;
  readonly attempts: number;
  /** Unix milliseconds; absent while it has not completed. */
  readonly completedAt?: number;
}

/** A step's journal beside what the service counted for it. */
export interface StepCheck {
  readonly step: string;
  readonly attempts: number;
  readonly hits: number;
  /** What is not as promised, in words; empty if all is. */
  readonly faults: readonly string[];
}

/** The steps of a journal in the order in which the workflow asked for them. */
export function stepRecords(entries: readonly JournalEntry[]): readonly StepRecord[] {
  const names = operationNames(entries);
  const recordsByOperation = new Map<number, StepRecord>();
  for (const { op, type, attempt, at } of entries) {
    if (op === undefined) continue;
    const known = recordsByOperation.get(op) ?? { name: names.get(op) ?? "", attempts: 0 };
    if (type === "attempt-started")
      recordsByOperation.set(op, { ...known, attempts: Math.max(known.attempts, attempt ?? 0) });
    if (type === "step-completed") recordsByOperation.set(op, { ...known, completedAt: at });
  }
  return [...recordsByOperation.values()];
}

/** Compares one step with the ledgers of the paths that it alone calls. */
export function checkStep({ name, attempts, completedAt }: StepRecord, ledgers: readonly Ledger[]): StepCheck {
  const hits = ledgers.flatMap((ledger) => ledger.hits);
  const faults: string[] = [];
  if (ledgers.length > 1) faults.push(`sent ${ledgers.length} different idempotency keys`);
  if (hits.length > attempts) faults.push(`reached the service ${hits.length} times in ${attempts} journaled attempts`);
  if (completedAt !== undefined && hits.length === 0) faults.push("completed without reaching the service");
  const late = hits.filter(({ at }) => completedAt !== undefined && at > completedAt).length;
  if (late > 0) faults.push(`ran ${late} times more after its outcome was journaled`);
  const early = hits.filter((hit) => hit.early).length;
  if (early > 0) faults.push(`came ${early} times before the time that the service had asked for`);
  return { step: name, attempts, hits: hits.length, faults };
}
