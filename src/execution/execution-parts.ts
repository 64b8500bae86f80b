import type { Deployment } from "./deployment.ts";
import type { Feed } from "./feed.ts";
import type { Ports } from "./ports.ts";
import type { WakeAlarm } from "./wake-alarm.ts";

/** What an `Execution` is made of, and what outlives it in its object. */
export interface ExecutionParts {
  readonly ports: Ports;
  readonly deployment: Deployment;
  readonly alarm: WakeAlarm;
  /** Shows viewers what was committed. */
  readonly feed: Feed;
  /** Told when another one has to take the place of this one. */
  readonly retired: () => void;
}
