import type { Entry } from "./entry.ts";
import { JournalFault } from "./journal-fault.ts";
import type { ReportFailed, Reported } from "./report-entry.ts";
import type { State } from "./state.ts";

/** The part of the fold that is about reports to the directory. */
export const REPORT_FOLD = {
  reported(state: State, _entry: Reported): void {
    state.unreported = undefined;
  },
  "report-failed"(state: State, { attempt, retryAt }: ReportFailed): void {
    if (state.unreported === undefined) throw new JournalFault(`entry ${state.entries} speaks of a report`);
    state.unreported = { ...state.unreported, failures: attempt, dueAt: retryAt };
  },
};

/**
 * Notes what the directory has to be told. As long as it may not know the execution at all, the alarm stands by; later
 * facts are told with their commit, by whoever touches the object next, or when the directory asks.
 */
export function oweReport(state: State, { type, at }: Entry): void {
  if (type !== "reported" && type !== "report-failed") state.facts = state.entries + 1;
  switch (type) {
    case "started":
    case "forked-from":
      state.unreported = { entry: state.entries, failures: 0, dueAt: at };
      break;
    case "paused":
    case "resumed":
      owe(state, state.unreported?.dueAt);
      break;
    case "completed":
    case "failed":
    case "cancelled":
      // The alarm of the purge finds an end that nobody was told of, if nothing else does.
      owe(state, state.unreported?.failures ? state.unreported.dueAt : undefined);
      break;
    default:
  }
}

function owe(state: State, dueAt: number | undefined): void {
  state.unreported = { entry: state.entries, failures: state.unreported?.failures ?? 0, dueAt };
}
