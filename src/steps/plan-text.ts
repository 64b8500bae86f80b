import type { AttemptPlan, PlannedAttempt, PolicyPlan } from "./attempt-plan.ts";
import type { ResolvedRetryPolicy } from "./retry-policy.ts";
import { showLength } from "./show-length.ts";

/** More rows than this are shown by the first and the last of them. */
const MAXIMUM_ROWS = 24;
const LAST_ROWS = 3;

/** Characters of the picture. */
const PICTURE_WIDTH = 40;

const HEADINGS = ["attempt", "starts after", "then waits", "with timeouts"];

const SPENT = {
  attempts: "its attempts are spent",
  duration: "its time is spent",
  terminal: "no retry can help",
  refused: "the service asked for a time beyond the bound",
  deadline: "the deadline of its execution comes first",
  journal: "the journal of its execution is full",
};

/** A plan for a terminal: the policy, a table with a picture of the times beside it, and what it comes to. */
export function planText(plan: PolicyPlan): string {
  return [...policyLines(plan), "", ...tableLines(plan), "", ...totalLines(plan)].join("\n");
}

/** The policy in force, field by field, as it would be declared. */
export function policyFields(policy: ResolvedRetryPolicy): readonly (readonly [field: string, value: string])[] {
  const { maximumAttempts, maximumDurationMs, nonRetryableErrors } = policy;
  return [
    ["initialInterval", showLength(policy.initialIntervalMs)],
    ["backoffCoefficient", String(policy.backoffCoefficient)],
    ["maximumInterval", showLength(policy.maximumIntervalMs)],
    ["maximumAttempts", maximumAttempts === undefined ? "no bound" : String(maximumAttempts)],
    ["maximumDuration", maximumDurationMs === undefined ? "no bound" : showLength(maximumDurationMs)],
    ["jitter", String(policy.jitter)],
    ["nonRetryableErrors", nonRetryableErrors.length === 0 ? "none" : nonRetryableErrors.join(", ")],
  ];
}

function policyLines({ policy, timeoutMs }: PolicyPlan): readonly string[] {
  const fields = [...policyFields(policy), ["timeout", `${showLength(timeoutMs)} for each attempt`] as const];
  return fields.map(([field, value]) => `${field.padEnd(18)}  ${value}`);
}

function tableLines({ atOnce, timedOut }: PolicyPlan): readonly string[] {
  const startOf = (attempt: number) => {
    const planned = timedOut.attempts[attempt - 1];
    return planned === undefined ? "–" : showLength(planned.startsAfterMs);
  };
  const cellsOf = ({ attempt, startsAfterMs, delayMs }: PlannedAttempt) => [
    String(attempt),
    showLength(startsAfterMs),
    delayMs === undefined ? "–" : showLength(delayMs),
    startOf(attempt),
  ];
  const shown = shownAttempts(atOnce.attempts);
  const rows = shown.map((planned) => ({ cells: cellsOf(planned), picture: pictureOf(planned, atOnce) }));
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map(({ cells }) => String(cells[column]).length)),
  );
  const lineOf = (cells: readonly string[]) => cells.map((cell, column) => cell.padStart(Number(widths[column])));
  const lines = rows.map(({ cells, picture }) => [...lineOf(cells), picture].join("  "));
  const left = atOnce.attempts.length - shown.length;
  if (left > 0) lines.splice(-LAST_ROWS, 0, `… ${left} more …`.padStart(Number(widths[0]) + PICTURE_WIDTH / 2));
  return [lineOf(HEADINGS).join("  "), ...lines];
}

/** The rows of a table of attempts; those in the middle are left out where there are many. */
function shownAttempts(attempts: readonly PlannedAttempt[]): readonly PlannedAttempt[] {
  if (attempts.length <= MAXIMUM_ROWS) return attempts;
  return [...attempts.slice(0, MAXIMUM_ROWS - LAST_ROWS), ...attempts.slice(-LAST_ROWS)];
}

/** One attempt on the line of time: `●` where it is made, and a line until the next. */
function pictureOf({ startsAfterMs, delayMs = 0 }: PlannedAttempt, { endsAfterMs }: AttemptPlan): string {
  const columnOf = (afterMs: number) => Math.floor((afterMs / Math.max(endsAfterMs, 1)) * (PICTURE_WIDTH - 1));
  const start = columnOf(startsAfterMs);
  const wait = Math.min(columnOf(startsAfterMs + delayMs), PICTURE_WIDTH - 1) - start;
  return `${" ".repeat(start)}●${"─".repeat(Math.max(wait - 1, 0))}`;
}

/** What a plan comes to, in sentences. */
export function totalLines({ atOnce, soonest, timedOut, longestMs }: PolicyPlan): readonly string[] {
  return [
    `Where every attempt fails at once: ${endOf(atOnce)}.`,
    ...(soonest === undefined ? [] : [`With all that chance may take off: ${endOf(soonest)}.`]),
    `Where every attempt runs into its timeout: ${endOf(timedOut)}.`,
    `Worst case without chance: spent after ${showLength(longestMs)}.`,
    "A Retry-After takes the place of one delay, and a pause stops the time.",
  ];
}

function endOf({ attempts, spent, endsAfterMs }: AttemptPlan): string {
  const made = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  if (spent === undefined) return `more than ${made}, the last of these after ${showLength(endsAfterMs)}`;
  return `${made} in ${showLength(endsAfterMs)}, then ${SPENT[spent]}`;
}
