import type { Inside, Running } from "./contestant.ts";
import type { Figure, Figures } from "./figures.ts";
import type { Program } from "./program.ts";
import type { HitService } from "./service.ts";

export interface Started {
  readonly name: string;
  readonly running: Running;
}

/** `smoke` shows in about a minute that all of it works; `full` is what is published. */
export type Extent = "smoke" | "full";

/** What a scenario is given. */
export interface Bench {
  readonly extent: Extent;
  readonly contestants: readonly Started[];
  readonly figures: Figures;
  readonly service: HitService;
  readonly log: (line: string) => void;
}

/** One question, asked of every contestant under the same conditions. */
export interface Scenario {
  readonly letter: string;
  readonly title: string;
  run(bench: Bench): Promise<void>;
}

export interface Measurement extends Pick<Figure, "scenario" | "what" | "unit"> {
  /** Kinds of programs that it needs. */
  readonly needs: readonly Program["kind"][];
  /** At most; no further one for a contestant that has taken a minute. */
  readonly rounds: number;
  /** One sample, or several of equal standing. */
  readonly sample: (started: Started) => Promise<number | readonly number[]>;
}

const ENOUGH_MS = 60_000;

/**
 * Takes samples of all contestants in turn, so that whatever else the machine does meets them all alike. One that
 * cannot do it is left out with its reason.
 */
export async function measure(bench: Bench, measurement: Measurement): Promise<void> {
  const { scenario, what, unit, needs, rounds, sample } = measurement;
  const taken = new Map<Started, { readonly samples: number[]; ms: number; reason?: string }>();
  for (const started of bench.contestants) {
    const reason = needs.map((kind) => started.running.without?.[kind]).find((one) => one !== undefined);
    taken.set(started, { samples: [], ms: 0, ...(reason !== undefined && { reason }) });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [started, own] of taken) {
      if (own.reason !== undefined || own.ms > ENOUGH_MS) continue;
      const startedAt = performance.now();
      try {
        own.samples.push(...[await sample(started)].flat());
      } catch (error) {
        own.reason = error instanceof Error ? error.message : String(error);
      }
      own.ms += performance.now() - startedAt;
      bench.log(`${scenario} ${what}, ${started.name}: ${own.reason ?? `round ${round} of ${rounds}`}`);
    }
  }
  for (const [{ name: contestant }, { samples, reason }] of taken) {
    if (reason === undefined) bench.figures.add({ scenario, what, contestant, unit, samples });
    else bench.figures.miss({ scenario, what, contestant, reason });
  }
}

/** Those whose objects can be looked at. */
export function insiders(bench: Bench): readonly { readonly name: string; readonly inside: Inside }[] {
  return bench.contestants.flatMap(({ name, running: { inside } }) => (inside === undefined ? [] : [{ name, inside }]));
}

/** How long something takes, in ms. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** Resolves when `holds`; rejects when that takes too long. */
export async function until(holds: () => boolean, what: string, withinMs: number): Promise<void> {
  const startedAt = performance.now();
  while (!holds()) {
    if (performance.now() - startedAt > withinMs) {
      throw new Error(`Cannot go on as ${what}: current value is not yet, after ${withinMs} ms`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
