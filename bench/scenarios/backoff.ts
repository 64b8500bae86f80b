import { randomUUID } from "node:crypto";
import { measure, type Bench, type Scenario } from "../bench.ts";
import type { Running } from "../contestant.ts";
import { OWN_TIME, OWN_TIME_MS } from "../names.ts";

interface Backoffs {
  readonly what: string;
  readonly delaysMs: readonly number[];
  readonly bodyMs: number;
}

/**
 * How much later than its backoff each step is tried again: from the moment at which its function failed until the next
 * request of it comes. That request's way is a part of it, for all contestants alike. Whether one is too early is
 * judged by the clock of the service alone, which both attempts ask.
 */
export const backoff: Scenario = {
  letter: "E",
  title: "overshoot of backoffs",
  async run(bench) {
    const isSmoke = bench.extent === "smoke";
    await one(bench, isSmoke ? 5 : 20);
    const cases: readonly Backoffs[] = [
      { what: "20 parallel steps", delaysMs: delays(20, 100), bodyMs: 0 },
      { what: "200 parallel steps", delaysMs: delays(200, 10), bodyMs: 0 },
      { what: "200 parallel steps of 20 ms", delaysMs: delays(200, 10), bodyMs: 20 },
    ];
    for (const each of isSmoke ? cases.slice(0, 1) : cases) await several(bench, each);
  },
};

function delays(count: number, stepMs: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => 100 + i * stepMs);
}

async function one(bench: Bench, rounds: number): Promise<void> {
  await measure(bench, {
    scenario: "E",
    what: "1 step of 100 ms",
    unit: "ms",
    needs: ["retries"],
    rounds,
    sample: async ({ running }) => {
      const found = await retries(bench, running, { what: "", delaysMs: [100], bodyMs: 0 });
      return found.map(({ lateMs }) => lateMs);
    },
  });
}

async function several(bench: Bench, backoffs: Backoffs): Promise<void> {
  const all = new Map<string, (readonly Retry[])[]>();
  await measure(bench, {
    scenario: "E",
    what: backoffs.what,
    unit: "ms",
    needs: ["retries"],
    size: backoffs.delaysMs.length,
    rounds: bench.extent === "smoke" ? 1 : 2,
    async sample({ name, running }) {
      const found = await retries(bench, running, backoffs);
      all.set(name, [...(all.get(name) ?? []), found]);
      return found.map(({ lateMs }) => lateMs);
    },
  });
  for (const [contestant, runs] of all) {
    const keep = (is: (retry: Retry) => boolean) => runs.map((run) => run.filter(is).length);
    const counted = [
      ["too early", keep(({ isEarly }) => isEarly)],
      [OWN_TIME, keep(({ isEarly, lateMs }) => !isEarly && lateMs <= OWN_TIME_MS)],
    ] as const;
    for (const [how, samples] of counted) {
      bench.figures.add({ scenario: "E", what: `${backoffs.what}, ${how}`, contestant, unit: "times", samples });
    }
  }
}

interface Retry {
  readonly lateMs: number;
  readonly isEarly: boolean;
}

async function retries(
  { service }: Bench,
  running: Running,
  { delaysMs, bodyMs }: Backoffs,
): Promise<readonly Retry[]> {
  const path = `/once/${randomUUID()}`;
  await running.run({ kind: "retries", url: service.url + path, delaysMs, bodyMs });
  return delaysMs.map((delayMs, i) => {
    const [first, second] = service.hits(`${path}/${i}`);
    const failedAt = service.failedAt(`${path}/${i}`);
    if (first === undefined || second === undefined || failedAt === undefined) {
      throw new Error(`step ${i} was not tried twice in one process`);
    }
    return { lateMs: second - failedAt - delayMs, isEarly: second - first < bodyMs + delayMs };
  });
}
