import type { Scenario } from "../bench.ts";
import { backoff } from "./backoff.ts";
import { kill } from "./kill.ts";
import { latency } from "./latency.ts";
import { many } from "./many.ts";
import { replay } from "./replay.ts";
import { rows } from "./rows.ts";
import { fetches, parallel, sequence } from "./sequence.ts";
import { sleepers } from "./sleepers.ts";
import { startUp } from "./start-up.ts";

/** In the order in which they run: what kills or fills a contestant comes last. */
export const SCENARIOS: readonly Scenario[] = [
  latency,
  many,
  sequence,
  fetches,
  parallel,
  backoff,
  rows,
  replay,
  kill,
  startUp,
  sleepers,
];
