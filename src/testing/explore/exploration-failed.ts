import type { Finding } from "./explored-run.ts";
import type { Schedule } from "./schedule.ts";
import type { Violation, ViolationKind } from "./violation.ts";

/** An exploration has found a run in which something is wrong; `schedule` shows it again. */
export class ExplorationFailed extends Error {
  override readonly name = "ExplorationFailed";
  readonly kind: ViolationKind;
  /** The faults of the smallest run that shows it; none where it needs no faults. */
  readonly schedule: Schedule;
  /** The entries of its journal. */
  readonly journal: readonly string[];
  /** Runs until it was found, those that made it smaller left out. */
  readonly runs: number;

  constructor(violation: Violation, { schedule, journal, warnings }: Finding, runs: number) {
    super(messageOf(violation, { schedule, journal, warnings, runs }), { cause: violation.cause });
    this.kind = violation.kind;
    this.schedule = schedule;
    this.journal = journal;
    this.runs = runs;
  }
}

/** Enough to see what happened around the fault; the rest is in `journal`. */
const ENTRIES_SHOWN = 40;

function messageOf(
  { message }: Violation,
  { schedule, journal, warnings, runs }: Pick<Finding, "schedule" | "journal" | "warnings"> & { readonly runs: number },
): string {
  const needed =
    schedule.length === 0 ? "without any fault" : `with ${schedule.map((fault) => `"${fault}"`).join(", ")}`;
  const more = journal.length > ENTRIES_SHOWN ? [`  … ${journal.length - ENTRIES_SHOWN} more`] : [];
  return [
    message,
    `It happens ${needed} (run ${runs}). This runs it again:`,
    "",
    `  await explore(workflow, input, { …, schedule: ${JSON.stringify(schedule)} });`,
    "",
    ...warnings.map((warning) => `The engine warned: ${warning}`),
    "The journal of that run:",
    ...journal.slice(0, ENTRIES_SHOWN).map((entry) => `  ${entry}`),
    ...more,
  ].join("\n");
}
