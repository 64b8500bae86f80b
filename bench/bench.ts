import { COMPARED } from "./names.ts";
import type { Inside, Running } from "./contestant.ts";
import type { Figure, Figures } from "./figures.ts";
import type { Program } from "./program.ts";
import type { HitService } from "./service.ts";

export interface Started {
  readonly name: string;
  readonly running: Running;
  /** Why it is not there any more. */
  readonly lost: string | undefined;
  /** Ends it with all that it has under way, and starts it again without anything. */
  renew(): Promise<void>;
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
  /** By scenario and contestant: why nothing larger is tried. */
  readonly overdue: Map<string, string>;
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
  /** Operations of each program, where some contestants end only small ones in time. */
  readonly size?: number;
  /** How long one sample may take. */
  readonly patienceMs?: number;
  /** At most; no further one for a contestant that has taken a quarter of a minute. */
  readonly rounds: number;
  /** One sample, or several of equal standing. */
  readonly sample: (started: Started) => Promise<number | readonly number[]>;
}

const ENOUGH_MS = 15_000;
const PATIENCE_MS = 45_000;

interface Taken {
  readonly samples: number[];
  ms: number;
  /** Why there is no figure. */
  reason?: string;
}

/**
 * Takes samples of all contestants in turn, so that whatever else the machine does meets them all alike. One that
 * cannot do it is left out with its reason.
 */
export async function measure(bench: Bench, measurement: Measurement): Promise<void> {
  const { scenario, what, unit, rounds } = measurement;
  const taken = new Map<Started, Taken>();
  for (const started of bench.contestants) {
    const reason = reasonAgainst(bench, started, measurement);
    taken.set(started, { samples: [], ms: 0, ...(reason !== undefined && { reason }) });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [started, own] of taken) {
      if (own.reason !== undefined || (own.ms > ENOUGH_MS && !COMPARED.includes(started.name))) continue;
      const startedAt = performance.now();
      await takeSample(bench, measurement, { started, own });
      own.ms += performance.now() - startedAt;
      bench.log(`${scenario} ${what}, ${started.name}: ${own.reason ?? `round ${round} of ${rounds}`}`);
    }
  }
  for (const [{ name: contestant }, { samples, reason }] of taken) {
    if (reason === undefined) bench.figures.add({ scenario, what, contestant, unit, samples });
    else bench.figures.miss({ scenario, what, contestant, reason });
  }
}

function reasonAgainst(
  { overdue }: Bench,
  { name, lost, running: { without, atMost } }: Started,
  { scenario, needs, size = 0 }: Measurement,
): string | undefined {
  const most = Math.min(...needs.map((kind) => atMost?.[kind] ?? Infinity));
  const tooLarge = size > most ? `not tried: it takes minutes for more than ${most} steps` : undefined;
  const missing = needs.map((kind) => without?.[kind]).find((one) => one !== undefined);
  return lost ?? missing ?? tooLarge ?? overdue.get(keyOf(scenario, name));
}

async function takeSample(
  bench: Bench,
  { scenario, what, sample, patienceMs = PATIENCE_MS }: Measurement,
  { started, own }: { readonly started: Started; readonly own: Taken },
): Promise<void> {
  try {
    own.samples.push(...[await within(sample(started), patienceMs)].flat());
  } catch (error) {
    own.reason = messageOf(error);
    if (!(error instanceof Overdue)) return;
    // What it goes on with would be in the way of all others.
    bench.overdue.set(keyOf(scenario, started.name), `not tried after ${what}: ${own.reason}`);
    await started.renew();
  }
}

function keyOf(scenario: string, contestant: string): string {
  return `${scenario}, ${contestant}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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

/** There was no end of it in time; it may still go on. */
export class Overdue extends Error {}

/** Rejects when that takes too long. */
export async function within<T>(act: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Overdue(`no end within ${limitMs / 1_000} s`)), limitMs);
  });
  try {
    return await Promise.race([act, late]);
  } finally {
    clearTimeout(timer);
  }
}
