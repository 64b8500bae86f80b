import type { AttemptName } from "../execution/ports.ts";
import { LIMITS } from "../limits.ts";
import { nameOccurrence } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";
import { checkStep } from "../steps/step-options.ts";

/** Which attempt of a step is interrupted; by default the next one that ends, of whichever occurrence. */
export interface InterruptOptions {
  /** Counts the steps of this name in an execution, from 1. */
  readonly occurrence?: number | undefined;
  /** Counts the attempts of the step, from 1. */
  readonly attempt?: number | undefined;
  /** Its rollback instead of the step itself. @default false */
  readonly rollback?: boolean | undefined;
}

interface Interrupt {
  /** `workflow/id`; `undefined` for any. */
  readonly execution: string | undefined;
  readonly kind: AttemptName["kind"];
  readonly isNamed: (name: string) => boolean;
  readonly attempt: number | undefined;
}

const KEYS = ["occurrence", "attempt", "rollback"] as const;

/** The attempts at whose end their objects are to be lost. Each comes once. */
export class Interrupts {
  readonly #waiting: Interrupt[] = [];

  /** @throws TypeError or RangeError that names the field, the rule and the value */
  add(execution: string | undefined, step: unknown, options: unknown = {}): void {
    const { name } = checkStep(step);
    const given = readFields(options, "options", KEYS);
    const occurrence = checkCount("occurrence", given.occurrence, LIMITS.operationsPerExecution);
    const isAnyOf = (journaled: string) => journaled === name || /^#\d+$/.test(journaled.slice(name.length));
    this.#waiting.push({
      execution,
      kind: checkRollback(given.rollback) ? "rollback" : "step",
      isNamed:
        occurrence === undefined
          ? (journaled) => journaled.startsWith(name) && isAnyOf(journaled)
          : (journaled) => journaled === nameOccurrence(name, occurrence),
      attempt: checkCount("attempt", given.attempt, LIMITS.attemptsPerStep),
    });
  }

  /** True where the object is to be lost at the end of this attempt. */
  take(execution: string, { kind, name, attempt }: AttemptName): boolean {
    const index = this.#waiting.findIndex(
      (interrupt) =>
        (interrupt.execution ?? execution) === execution &&
        interrupt.kind === kind &&
        interrupt.isNamed(name) &&
        (interrupt.attempt ?? attempt) === attempt,
    );
    if (index === -1) return false;
    this.#waiting.splice(index, 1);
    return true;
  }
}

function checkCount(field: string, value: unknown, maximum: number): number | undefined {
  if (value === undefined) return undefined;
  const message = `Cannot use ${field} as it must be an integer from 1 to ${maximum}: current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  if (!Number.isInteger(value) || value < 1 || value > maximum) throw new RangeError(message);
  return value;
}

function checkRollback(value: unknown = false): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot use rollback as it must be true or false: current value is ${showValue(value)}`);
}
