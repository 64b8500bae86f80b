/* What a run of the simulation finds. It names nothing of the platform, so that scripts can read it. */

/** What all executions together have done. */
export interface Tally {
  started: number;
  woken: number;
  /** Their end was acknowledged. */
  known: number;
  purged: number;
  /** Reports and removals that were sent, and those of which no answer came in time. */
  told: number;
  untold: number;
  removals: number;
  unremoved: number;
  /** By the sweep of the directory. */
  asked: number;
  /** Journaled about reports. */
  entriesOfReports: number;
  /** Alarms that an execution at rest has set. */
  alarms: number;
}

/** How long each kind of list takes in a directory of so many executions: the least of some samples, in real time. */
export interface ListTimes {
  readonly rows: number;
  readonly ms: Readonly<Record<string, number>>;
}

/** What was found in a part of the simulated time. */
export interface Phase extends Tally {
  readonly rowsOfDirectory: number;
  /** Of the shard with the most. */
  readonly busiestSecond: number;
  readonly longestWaitMs: number;
}

/** What a shard of so many rows costs, in real time. */
export interface ShardSize extends ListTimes {
  readonly mib: number;
  /** One report, while the shard grew to this size. */
  readonly reportUs: number;
  /** The counts of an object that has just come into memory. */
  readonly countMs: number;
  /** The look of a sweep through all rows. */
  readonly sweepMs: number;
}

/** Steps that failed together because a service was down, under a jitter. */
export interface RetryHerd {
  readonly jitter: number;
  readonly steps: number;
  /** Requests to the service while it is down and after it. */
  readonly attempts: number;
  /** Of them, how many came in the busiest tenth of a second after the first attempts. */
  readonly busiestTenth: number;
  /** In the busiest one after the service was up again. */
  readonly busiestTenthUp: number;
  /** From the first attempts until no step was left. */
  readonly doneAfterMs: number;
}

export interface SimulationOptions {
  readonly executions: number;
  readonly shards: number;
  readonly seed: number;
  /** The wake-ups of those that sleep are drawn from so long a time. */
  readonly spreadMs: number;
  /** How long a request occupies a shard. */
  readonly requestMs: number;
}

/** Of all shards. */
export interface Range {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export interface Simulation extends SimulationOptions {
  /** With all executions in the directory. */
  readonly rowsOfShard: Range;
  readonly kibOfShard: Range;
  readonly lists: ListTimes;
  /** Real time of a report or removal, and of a sweep. */
  readonly reportUs: number;
  readonly sweepMs: Omit<Range, "least">;
  readonly phases: Readonly<Record<"starts" | "sleep" | "wakes" | "purges", Phase>>;
  /** From an end to its place in the directory, of those that slept. */
  readonly lagMs: { readonly p50: number; readonly p99: number; readonly longest: number };
  /** From the moment of the wake-ups, and of their purges. */
  readonly allKnownAfterMs: number;
  readonly allPurgedAfterMs: number;
}

/** A parent that starts all of its children at once. */
export interface Family {
  readonly children: number;
  /** Of the parent alone. */
  readonly rowsWritten: number;
  readonly entries: number;
  readonly operations: number;
  /** In real time, the work of the children included. */
  readonly ms: number;
}

/** What a run has found; `figures.json` is that of `docs/scale.md`. */
export interface ScaleFigures {
  readonly at: string;
  readonly simulation: Simulation;
  readonly shardSizes: readonly ShardSize[];
  readonly retryHerds: readonly RetryHerd[];
  readonly families: readonly Family[];
}
