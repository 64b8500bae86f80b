import type { Turn } from "../../src/execution/ports.ts";

const CHAIN = 20_000;
const BATCHES = 51;
const TURNS_A_BATCH = 100;

/** Links that had run of a chain of 20,000 microtasks when the turn ended, so many times. */
export async function drainedOf(turn: Pick<Turn, "end">, times: number): Promise<number[]> {
  const drained: number[] = [];
  for (let i = 0; i < times; i += 1) {
    let links = 0;
    const chain = async () => {
      while (links < CHAIN) {
        await undefined;
        links += 1;
      }
    };
    void chain();
    await turn.end();
    drained.push(links);
  }
  return drained;
}

/** What one turn takes, as the median of many batches: other work on the machine must not decide. */
export async function turnCostMs(turn: Pick<Turn, "end">): Promise<number> {
  const costs: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const startedAt = performance.now();
    for (let i = 0; i < TURNS_A_BATCH; i += 1) await turn.end();
    costs.push((performance.now() - startedAt) / TURNS_A_BATCH);
  }
  return medianOf(costs);
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("There is no median of nothing.");
  return middle;
}
