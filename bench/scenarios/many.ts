import { measure, timed, type Scenario } from "../bench.ts";
import type { Running } from "../contestant.ts";

const STEPS = 10;
const IN_FLIGHT = 50;

/** Many executions at once, of ten steps each. */
export const many: Scenario = {
  letter: "B",
  title: `executions × ${STEPS} no-op steps, ${IN_FLIGHT} in flight`,
  async run(bench) {
    const isSmoke = bench.extent === "smoke";
    for (const executions of isSmoke ? [50] : [200, 1_000]) {
      await measure(bench, {
        scenario: "B",
        what: `${executions} executions`,
        unit: "steps/s",
        needs: ["steps"],
        rounds: isSmoke ? 2 : 5,
        sample: async ({ running }) =>
          (executions * STEPS) / ((await timed(() => runAll(running, executions))) / 1_000),
      });
    }
  },
};

async function runAll(running: Running, executions: number): Promise<void> {
  let begun = 0;
  const client = async () => {
    while (begun < executions) {
      begun += 1;
      await running.run({ kind: "steps", count: STEPS });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
}
