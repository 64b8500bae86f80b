import type { Entry } from "../../src/journal/entry.ts";

/** What nobody may journal while the execution is paused: anything that starts or is delivered. */
const MOVES_ON: ReadonlySet<Entry["type"]> = new Set([
  "queued",
  "attempt-started",
  "timer-set",
  "timer-fired",
  "signal-awaited",
  "signal-taken",
  "signal-timed-out",
  "callback-created",
  "callback-awaited",
  "callback-taken",
  "callback-timed-out",
  "cancel-delivered",
  "run-started",
  "run-failed",
  "progress",
  "attributes",
  "patched",
  "ending",
  "rollback-started",
  "completed",
  "failed",
]);

/** What may be journaled while the execution is ending: rollbacks, and what comes from outside. */
const MAY_FOLLOW_ENDING: ReadonlySet<Entry["type"]> = new Set([
  "rollback-started",
  "rollback-failed",
  "rollback-completed",
  "rollback-not-run",
  "signal-received",
  "paused",
  "resumed",
  "forked-from",
  "attempts-withdrawn",
  "object-lost",
  "recovered",
  "failed",
  "cancelled",
]);

/** What must not stand in a journal. */
export function faultsOf(facts: readonly Entry[]): string[] {
  const faults: string[] = [];
  let paused = false;
  let ending = false;
  let ended = false;
  for (const [number, { type, ...fact }] of facts.entries()) {
    if (ended) faults.push(`entry ${number} ${type} comes after the end`);
    if (paused && MOVES_ON.has(type)) faults.push(`entry ${number} ${type} stands in a pause`);
    if (paused && type === "cancel-requested" && "by" in fact) faults.push(`entry ${number}: a deadline in a pause`);
    if (ending && !MAY_FOLLOW_ENDING.has(type)) faults.push(`entry ${number} ${type} comes after the journaled end`);
    if (type === "paused" && "by" in fact && fact.by === "fault") faults.push(`paused by a fault: ${fact.at}`);
    if (type === "paused" || type === "resumed" || type === "forked-from") paused = type === "paused";
    ending ||= type === "ending";
    ended ||= type === "completed" || type === "failed" || type === "cancelled";
  }
  return faults;
}
