import type { Entry } from "../../../src/journal/entry.ts";
import type { Answered } from "./client.ts";
import type { Errand } from "./scenario.ts";

/** A request with its answer. */
export interface Talk {
  readonly root: string;
  readonly what: "start" | Errand["what"];
  readonly key: string;
  readonly answered: Answered;
}

/** What one simulation leaves for the promises to be held against. */
export interface Record {
  /** Of every execution, by `workflow/id`. */
  readonly journals: ReadonlyMap<string, readonly Entry[]>;
  /** How many rows each takes. */
  readonly rows: ReadonlyMap<string, number>;
  /** Calls of the functions of steps and rollbacks. */
  readonly hits: ReadonlyMap<string, number>;
  readonly talks: readonly Talk[];
  /** Steps and rollbacks that ran although the journal already held their outcome. */
  readonly ranAgain: readonly string[];
  /** Messages that left before the journal held their cause. */
  readonly tooEarly: readonly string[];
  /** Objects whose alarm at a rest was another than their journal asks for, and nobody had touched it. */
  readonly wrongAlarms: readonly string[];
  /** Errands that were never done. */
  readonly unanswered: readonly string[];
  /** What the directory has, by `workflow/id`. */
  readonly listed: ReadonlyMap<string, string>;
  /** Whose alarm, when all is over, is another than the journal asks for. */
  readonly lastAlarms: readonly string[];
  /** How often an object lost its memory, or its storage failed. */
  readonly disturbed: number;
}

/** The execution that is in every scenario: steps, one after the other, and nothing else. */
export const PLAIN = "root/plain";
export const PLAIN_STEPS = 6;
