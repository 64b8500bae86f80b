import { measure, timed, type Scenario } from "../bench.ts";

/** Who takes longer gives fewer samples. */
const ROUND_MS = 10_000;

/** From the start of an execution with one step to its result. */
export const latency: Scenario = {
  letter: "A",
  title: "one no-op step, from start to result",
  async run(bench) {
    const isSmoke = bench.extent === "smoke";
    const perRound = isSmoke ? 10 : 50;
    await measure(bench, {
      scenario: "A",
      what: "1 step",
      unit: "ms",
      needs: ["steps"],
      rounds: isSmoke ? 3 : 10,
      async sample({ running }) {
        const samples: number[] = [];
        const startedAt = performance.now();
        // The first of a life is none to measure.
        await running.run({ kind: "steps", count: 1 });
        while (samples.length < perRound && performance.now() - startedAt < ROUND_MS) {
          samples.push(await timed(() => running.run({ kind: "steps", count: 1 })));
        }
        return samples;
      },
    });
  },
};
