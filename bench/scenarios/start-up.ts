import { insiders, type Scenario } from "../bench.ts";
import { BURST } from "../names.ts";

/** The first request after a cold start, with an execution of one step in it. */
export const startUp: Scenario = {
  letter: "start",
  title: "the first request after a cold start",
  async run(bench) {
    const rounds = bench.extent === "smoke" ? 1 : 5;
    const taken = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1) {
      // Both bare objects are one Worker.
      for (const { name, inside } of insiders(bench).filter((each) => each.name !== BURST)) {
        const { running } = bench.contestants.find((each) => each.name === name) ?? {};
        await running?.kill();
        await running?.restart();
        taken.set(name, [...(taken.get(name) ?? []), await inside.firstRequest()]);
        bench.log(`start, ${name}: round ${round} of ${rounds}`);
      }
    }
    for (const [contestant, samples] of taken) {
      bench.figures.add({ scenario: "start", what: "first request", contestant, unit: "ms", samples });
    }
  },
};
