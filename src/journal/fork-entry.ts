import type { Fact } from "./entry.ts";

/**
 * The entries before this one are a copy of another execution's, all but the first, which has the id of this one. What
 * was under way there is not under way here.
 */
export interface ForkedFrom extends Fact<"forked-from"> {
  /** The original, of the same workflow. */
  readonly id: string;
  /** The number of the first entry of the original that was not copied; this one stands in its place. */
  readonly entry: number;
  /** The time of the last one that was. */
  readonly cutAt: number;
  /** What was asked for, where anything was: the name of a step, or the number of an entry. */
  readonly before?: string | number;
}
