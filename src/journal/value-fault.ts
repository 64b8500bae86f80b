import { showValue } from "../steps/show-value.ts";

/** Levels of nesting a value may have: below what the stack of an isolate lets the codec descend, both ways. */
export const MAXIMUM_DEPTH = 500;

/** A path is shown by its start: 500 levels, or a key of a megabyte, help nobody. */
const PATH_LENGTH = 256;
const KEY_LENGTH = 64;

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** One step down into a value: a property, an index, or a member of a `Map` or `Set`. Written out only in a fault. */
export type PathStep =
  | string
  | number
  | { readonly kind: "get"; readonly key: unknown }
  | { readonly kind: "keys" | "values"; readonly position: number };

/**
 * A value that the journal does not take. Trying again does not help.
 *
 * `VALUE_NOT_JOURNALABLE`: something in it has no journaled form. `VALUE_TOO_LARGE`: it is over its bound of bytes.
 */
export class ValueFault extends Error {
  static {
    Object.defineProperty(this.prototype, "name", { value: "ValueFault", writable: true, configurable: true });
  }
  readonly code: "VALUE_NOT_JOURNALABLE" | "VALUE_TOO_LARGE";
  /** Where in the value, as one writes it in code: `.items[0].callback`; empty for the value itself. */
  readonly path: string;
  constructor(code: ValueFault["code"], path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** The fault of a part that has no journaled form; `what` names it: "a function". */
export function notJournalable(steps: readonly PathStep[], what: string): ValueFault {
  const path = formatPath(steps);
  const place = path === "" ? "the value" : `the value at ${path}`;
  return new ValueFault(
    "VALUE_NOT_JOURNALABLE",
    path,
    `Cannot journal ${place} as ${what} is not a journalable value.`,
  );
}

/** The fault of a value that went over its bound at `steps`, where `bytes` had been counted. */
export function tooLarge(steps: readonly PathStep[], maximumBytes: number, bytes: number): ValueFault {
  return new ValueFault(
    "VALUE_TOO_LARGE",
    formatPath(steps),
    `Cannot journal a value as it may have at most ${maximumBytes} bytes: current value has at least ${bytes} bytes.`,
  );
}

function formatPath(steps: readonly PathStep[]): string {
  let path = "";
  for (const step of steps) {
    path += formatStep(step);
    if (path.length > PATH_LENGTH) return `${path.slice(0, PATH_LENGTH).toWellFormed()}…`;
  }
  return path;
}

function formatStep(step: PathStep): string {
  if (typeof step === "number") return `[${step}]`;
  if (typeof step === "string") return IDENTIFIER.test(step) ? `.${step}` : `[${quote(step)}]`;
  return step.kind === "get" ? `.get(${showValue(step.key)})` : `.${step.kind}()[${step.position}]`;
}

function quote(key: string): string {
  return JSON.stringify(key.length > KEY_LENGTH ? `${key.slice(0, KEY_LENGTH)}…` : key);
}
