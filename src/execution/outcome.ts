import type { ChildOutcome } from "../journal/child-entry.ts";
import { ExecutionCancelled, ExecutionFailed } from "../steps/outcome-errors.ts";
import type { Journal } from "./journal.ts";
import type { Outcome } from "./outcome-types.ts";
import type { OutcomeView } from "./wire.ts";
import type { AnyWorkflow } from "./workflow.ts";

/** How another execution ended, as it is journaled: for the entry that comes after `ahead` others. */
export function encodeOutcome(outcome: OutcomeView, journal: Journal, ahead: number): ChildOutcome {
  if (outcome.kind === "completed") return { kind: "completed", value: journal.encoded(outcome.value, ahead) };
  if (outcome.kind === "cancelled") return { kind: "cancelled" };
  return { ...outcome, details: journal.encoded(outcome.details, ahead) };
}

/** How another execution ended, as the workflow's code sees it. */
export function decodeOutcome(outcome: ChildOutcome, journal: Journal): Outcome<AnyWorkflow> {
  if (outcome.kind === "completed") return { kind: "completed", value: journal.decode(outcome.value) };
  if (outcome.kind === "cancelled") return { kind: "cancelled" };
  return { ...outcome, details: journal.decode(outcome.details) };
}

/**
 * The value that another execution completed with.
 *
 * @throws ExecutionFailed, ExecutionCancelled
 */
export function valueOf(outcome: Outcome<AnyWorkflow>): unknown {
  if (outcome.kind === "completed") return outcome.value;
  if (outcome.kind === "cancelled") throw new ExecutionCancelled("The execution was cancelled.");
  throw new ExecutionFailed(outcome);
}
