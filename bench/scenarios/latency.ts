import { measure, timed, type Scenario } from "../bench.ts";

/** From the start of an execution with one step to its result. */
export const latency: Scenario = {
  letter: "A",
  title: "one no-op step, from start to result",
  async run(bench) {
    const isSmoke = bench.extent === "smoke";
    const perRound = isSmoke ? 10 : 50;
    for (const { running } of bench.contestants) await running.run({ kind: "steps", count: 1 });
    await measure(bench, {
      scenario: "A",
      what: "1 step",
      unit: "ms",
      needs: ["steps"],
      rounds: isSmoke ? 3 : 10,
      async sample({ running }) {
        const samples: number[] = [];
        for (let i = 0; i < perRound; i += 1) samples.push(await timed(() => running.run({ kind: "steps", count: 1 })));
        return samples;
      },
    });
  },
};
