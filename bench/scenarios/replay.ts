import { randomUUID } from "node:crypto";
import { insiders, timed, type Bench, type Scenario } from "../bench.ts";
import { STEPWELL } from "../names.ts";
import type { Inside } from "../contestant.ts";
import { median } from "../statistics.ts";

/** A request, a start and an end without anything to replay. */
const FEW = 1;

/** A signal that ends an execution whose object is out of memory: its journal is read and its code replayed. */
export const replay: Scenario = {
  letter: "R",
  title: "replay after an eviction",
  async run(bench) {
    const counts = bench.extent === "smoke" ? [1_000] : [1_000, 10_000, 24_990];
    const rounds = bench.extent === "smoke" ? 2 : 3;
    for (const { name, inside } of insiders(bench).filter((each) => each.name === STEPWELL)) {
      const base = median(await samplesOf(bench, inside, { count: FEW, rounds }));
      for (const count of counts) {
        const samples = await samplesOf(bench, inside, { count, rounds });
        const figure = { scenario: "R", contestant: name };
        bench.figures.add({ ...figure, what: `${count} operations`, unit: "ms", samples });
        const each = samples.map((ms) => ((ms - base) * 1_000) / count);
        bench.figures.add({ ...figure, what: `${count} operations, each`, unit: "µs", samples: each });
      }
    }
  },
};

async function samplesOf(
  { log }: Bench,
  inside: Inside,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const id = randomUUID();
    await inside.begin(id, { kind: "signalled", count });
    await inside.settled(id);
    await inside.evict(id);
    samples.push(await timed(() => inside.signal(id)));
    log(`R ${count} operations: round ${round} of ${rounds}`);
  }
  return samples;
}
