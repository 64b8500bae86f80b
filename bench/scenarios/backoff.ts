import { randomUUID } from "node:crypto";
import { measure, type Bench, type Scenario } from "../bench.ts";
import type { Running } from "../contestant.ts";

/** Later than this, and a step has not kept its own time but somebody else's. */
const OWN_TIME_MS = 50;

interface Backoffs {
  readonly what: string;
  readonly delaysMs: readonly number[];
  readonly bodyMs: number;
}

/**
 * How much later than its backoff each step is tried again, by the clock of the service that both attempts ask. The
 * time of a request is a part of it, for all contestants alike.
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
    sample: ({ running }) => overshoots(bench, running, { what: "", delaysMs: [100], bodyMs: 0 }),
  });
}

async function several(bench: Bench, backoffs: Backoffs): Promise<void> {
  const all = new Map<string, (readonly number[])[]>();
  await measure(bench, {
    scenario: "E",
    what: backoffs.what,
    unit: "ms",
    needs: ["retries"],
    size: backoffs.delaysMs.length,
    rounds: bench.extent === "smoke" ? 1 : 2,
    async sample({ name, running }) {
      const found = await overshoots(bench, running, backoffs);
      all.set(name, [...(all.get(name) ?? []), found]);
      return found;
    },
  });
  for (const [contestant, runs] of all) {
    const keep = (is: (ms: number) => boolean) => runs.map((run) => run.filter(is).length);
    const counted = [
      ["too early", keep((ms) => ms < 0)],
      [`within ${OWN_TIME_MS} ms of their own time`, keep((ms) => ms >= 0 && ms <= OWN_TIME_MS)],
    ] as const;
    for (const [how, samples] of counted) {
      bench.figures.add({ scenario: "E", what: `${backoffs.what}, ${how}`, contestant, unit: "times", samples });
    }
  }
}

async function overshoots(
  { service }: Bench,
  running: Running,
  { delaysMs, bodyMs }: Backoffs,
): Promise<readonly number[]> {
  const path = `/once/${randomUUID()}`;
  await running.run({ kind: "retries", url: service.url + path, delaysMs, bodyMs });
  return delaysMs.map((delayMs, i) => {
    const [first, second] = service.hits(`${path}/${i}`);
    if (first === undefined || second === undefined) throw new Error(`step ${i} was not tried twice`);
    return second - first - bodyMs - delayMs;
  });
}
