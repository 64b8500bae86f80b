/**
 * What an exploration found.
 *
 * - `outcome`: the execution ends otherwise than without faults.
 * - `replay`: its code, fed its journal, does not come to its end.
 * - `repeated`: a step ran again after its outcome was journaled.
 * - `hits`: a step was called more often than its attempts and the deaths of its object allow.
 * - `alarm`: at rest the alarm does not stand at what is due next.
 * - `lost`: a request that was answered is not in the journal.
 * - `ambient`: the workflow's code used the platform's clock, chance, timers or network outside a step.
 * - `check`, `scenario`: the function of that name threw.
 */
export type ViolationKind =
  | "outcome"
  | "replay"
  | "repeated"
  | "hits"
  | "alarm"
  | "lost"
  | "ambient"
  | "check"
  | "scenario";

export interface Violation {
  readonly kind: ViolationKind;
  readonly message: string;
  readonly cause?: unknown;
}
