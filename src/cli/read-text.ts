import { type Duration, parseDuration } from "../steps/duration.ts";
import { showValue } from "../steps/show-value.ts";
import { asUsage, UsageError } from "./usage-error.ts";

/** The name of an execution: its workflow and its id. */
export interface ExecutionName {
  readonly workflow: string;
  readonly id: string;
}

/** `order/order-42`: neither half can hold a slash. */
export function executionOf(text: string): ExecutionName {
  const [, workflow, id] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (workflow !== undefined && id !== undefined) return { workflow, id };
  throw refused("EXECUTION", "it must be WORKFLOW/ID, as in order/order-42", text);
}

export function jsonOf(text: string, field: string): unknown {
  try {
    // The cast: whatever it is, it is checked by whoever takes it.
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : "";
    throw refused(field, `it must be JSON${why}`, text);
  }
}

/** As the client takes it, and checked before anything is sent. */
export function durationOf(text: string, field: string): Duration {
  const number = /^\d+$/.test(text) ? Number(text) : text;
  return asUsage(() => parseDuration(number, field));
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Unix milliseconds. */
export function momentOf(text: string, field: string): number {
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(ISO.test(text) ? text : "");
  if (Number.isSafeInteger(at)) return at;
  throw refused(field, "it must be Unix milliseconds or ISO 8601 with a zone, as in 2026-11-30T12:00:00Z", text);
}

export function countOf(text: string, field: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw refused(field, "it must be an integer of at least 1", text);
}

/** The number of an entry. */
export function entryOf(text: string, field: string): number {
  const entry = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(entry)) return entry;
  throw refused(field, "it must be the number of an entry, 0 or more", text);
}

/** One of a few words. */
export function wordOf<Word extends string>(text: string, field: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw refused(field, `it must be one of ${words.join(", ")}`, text);
}

/** `customer=c-7`: a value that is a JSON string, number, `true` or `false` is that, and any other is text. */
export function attributesOf(texts: readonly string[], field: string): Record<string, string | number | boolean> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw refused(field, "it must be NAME=VALUE", text);
      return [text.slice(0, at), scalarOf(text.slice(at + 1))];
    }),
  );
}

function scalarOf(text: string): string | number | boolean {
  if (!/^(?:"|-?\d|true$|false$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // Text that only begins as JSON does, such as a date, is text.
  }
  return text;
}

function refused(field: string, rule: string, value: string): UsageError {
  return new UsageError(`Cannot use ${field} as ${rule}: current value is ${showValue(value)}`);
}
