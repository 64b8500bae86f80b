import type { CatchUp, Overlap } from "../schedules/schedule.ts";
import type { LastStart, Refusal, RefusalCode } from "../schedules/schedule-state.ts";
import type { Absent, Refused } from "./wire.ts";

/** What the Scheduler object and its callers say to each other: plain data, as in `wire.ts`. */

export interface ScheduleView {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly workflow: string;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly pausedAt?: number;
  /** The next times, fewer where no more come; none while it is paused. */
  readonly nextTimes: readonly number[];
  /** Starts that are decided, and not acknowledged by their executions. */
  readonly pending: readonly { readonly id: string; readonly at: number; readonly failures: number }[];
  readonly last?: LastStart;
  readonly lastMissedAt?: number;
  readonly lastSkippedAt?: number;
  readonly lastRefused?: Refusal;
}

export interface ScheduleCommandRequest {
  readonly name: string;
  readonly command: "pause" | "resume";
}

export interface ScheduleCommandAnswer {
  readonly kind: "done";
  /** False where the schedule already was so. */
  readonly changed: boolean;
  readonly view: ScheduleView;
}

export interface TriggerRequest {
  readonly name: string;
  /** Of the execution. */
  readonly id: string;
}

export type TriggerAnswer =
  | { readonly kind: "started"; readonly created: boolean }
  /** The one that was started last has not ended, and is not to be overlapped. */
  | { readonly kind: "skipped"; readonly running: string }
  /** It is kept, and sent until it is acknowledged. */
  | { readonly kind: "pending" }
  | { readonly kind: "invalid"; readonly code: RefusalCode; readonly message: string };

/** The methods of the Scheduler object. */
export interface SchedulerPort {
  /** Makes it see what is deployed, and do what is due. */
  touch(): Promise<void>;
  list(): Promise<readonly ScheduleView[]>;
  command(request: ScheduleCommandRequest): Promise<ScheduleCommandAnswer | Absent>;
  trigger(request: TriggerRequest): Promise<TriggerAnswer | Absent | Refused>;
}
