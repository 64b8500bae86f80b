import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";
import { isHalted, type State } from "./state.ts";

/** What an execution may use before it is paused; what is left out does not bind. Each is a whole number from 1. */
export interface Budget {
  /** Rows of its journal, those of large values included. Alarms and tables are not counted. */
  readonly rowsWritten?: number | undefined;
  /** Attempts of all its steps, those that died with their objects included. */
  readonly attempts?: number | undefined;
  /** Text of its journal, that of large values included. */
  readonly bytes?: number | undefined;
}

/** What an execution has used: a function of its journal. */
export type Usage = { readonly [Field in keyof Budget]-?: number };

export const BUDGET_FIELDS = ["rowsWritten", "attempts", "bytes"] as const satisfies readonly (keyof Budget)[];

/**
 * Checks and copies a budget.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function checkBudget(value: unknown): Budget {
  const given = readFields(value, "budget", BUDGET_FIELDS);
  return budgetOf((field) => (given[field] === undefined ? undefined : checkAmount(given[field], field)));
}

/** The budget of an execution, as its first entry has it. */
export interface JournaledBudget {
  readonly budget?: Budget;
  /** What its workflow said then, where the start said something else. */
  readonly budgetOfWorkflow?: Budget;
}

/** The budget of a start: its own, field by field, else that of its workflow. Nothing where neither binds. */
export function startBudget(own: Budget = {}, ofWorkflow: Budget = {}): JournaledBudget {
  const budget = budgetOf((field) => own[field] ?? ofWorkflow[field]);
  if (isEmpty(budget)) return {};
  return isEmpty(own) ? { budget } : { budget, budgetOfWorkflow: ofWorkflow };
}

/**
 * The budget in force: the journaled one, raised to what the present code says where the code has been raised since, and
 * says more. A start may have less than its workflow, and keeps that until a deploy says otherwise.
 */
export function raisedBudget(
  { budget = {}, budgetOfWorkflow = budget }: JournaledBudget,
  present: Budget = {},
): Budget {
  return budgetOf((field) => {
    const amount = budget[field];
    const raised = present[field];
    if (amount === undefined || raised === undefined) return amount;
    return raised > (budgetOfWorkflow[field] ?? 0) ? Math.max(amount, raised) : amount;
  });
}

function isEmpty(budget: Budget): boolean {
  return BUDGET_FIELDS.every((field) => budget[field] === undefined);
}

/**
 * True while a budget may pause the execution. A cancellation lifts it: what compensates, and rollbacks, must be able to
 * run, or an execution over its budget could not be brought to a clean end.
 */
export function isBudgetBinding(state: State): boolean {
  return state.cancelRequestedAt === undefined && state.ending === undefined && !isHalted(state);
}

/** Why an execution is over its budget of rows or bytes; `undefined` where it is not. */
export function budgetExceeded(budget: Budget, usage: Usage): string | undefined {
  for (const field of ["rowsWritten", "bytes"] as const) {
    const amount = budget[field];
    if (amount !== undefined && usage[field] > amount) return tell(field, usage[field], amount);
  }
  return undefined;
}

/** Why `step`, whose next attempt is due, may not start it. The budget of attempts is never overdrawn. */
export function attemptsSpent(step: string, used: number, amount: number): string {
  return `Another attempt is due, of step ${step}. ${tell("attempts", used, amount)}`;
}

function tell(field: keyof Budget, used: number, amount: number): string {
  return (
    `The execution has used ${used} of its budget of ${amount} ${NOUNS[field]}. ` +
    `Deploy its workflow with a higher budget.${field} and resume the execution, or cancel it.`
  );
}

const NOUNS: { readonly [Field in keyof Budget]-?: string } = {
  rowsWritten: "rows written",
  attempts: "attempts",
  bytes: "bytes",
};

function budgetOf(amountOf: (field: keyof Budget) => number | undefined): Budget {
  const budget: { -readonly [Field in keyof Budget]: number } = {};
  for (const field of BUDGET_FIELDS) {
    const amount = amountOf(field);
    if (amount !== undefined) budget[field] = amount;
  }
  return Object.freeze(budget);
}

function checkAmount(value: unknown, field: keyof Budget): number {
  const message = `Cannot use budget.${field} as it must be a whole number from 1: current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(message);
  return value;
}
