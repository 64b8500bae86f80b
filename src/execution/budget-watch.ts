import { attemptsSpent, type Budget, budgetExceeded, isBudgetBinding, raisedBudget } from "../journal/budget.ts";
import type { Paused } from "../journal/entry.ts";
import { findWorkflow, type Deployment } from "./deployment.ts";
import type { Journal } from "./journal.ts";
import { definitionOf } from "./workflow.ts";

/** Watches that an execution stays within its budget; over it, it is to be paused. */
export class BudgetWatch {
  readonly #journal: Journal;
  readonly #deployment: Deployment;
  /** It changes with a deploy alone, and so never in the life of an object. */
  #budget: Budget | undefined;

  constructor(journal: Journal, deployment: Deployment) {
    this.#journal = journal;
    this.#deployment = deployment;
  }

  /** True where another attempt may start. */
  get allowsAttempt(): boolean {
    const { attempts } = this.#inForce();
    const { state } = this.#journal;
    return attempts === undefined || state.attempts < attempts || !isBudgetBinding(state);
  }

  /** The pause of an execution that has written more than it may. */
  exceeded(at: number): readonly Paused[] {
    return this.#pause(budgetExceeded(this.#inForce(), this.#journal.usage), at);
  }

  /** The pause of one that has a step due and no attempt left. */
  spent(step: string, at: number): readonly Paused[] {
    const { attempts } = this.#inForce();
    if (attempts === undefined) return [];
    return this.#pause(attemptsSpent(step, this.#journal.usage.attempts, attempts), at);
  }

  #pause(message: string | undefined, at: number): readonly Paused[] {
    if (message === undefined || !isBudgetBinding(this.#journal.state)) return [];
    return [{ type: "paused", by: "fault", code: "BUDGET_EXCEEDED", message, at }];
  }

  #inForce(): Budget {
    const { started } = this.#journal.state;
    if (started?.budget === undefined) return {};
    const definition = definitionOf(findWorkflow(this.#deployment, started.workflow, started.version));
    return (this.#budget ??= raisedBudget(started, definition?.budget));
  }
}
