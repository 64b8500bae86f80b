import { measure, timed, type Bench, type Scenario } from "../bench.ts";

/** Steps one after the other in one execution. */
export const sequence: Scenario = {
  letter: "C",
  title: "sequential no-op steps in one execution",
  async run(bench) {
    for (const count of bench.extent === "smoke" ? [100, 1_000] : [100, 1_000, 5_000, 20_000]) {
      await measureCount(bench, count);
    }
  },
};

async function measureCount(bench: Bench, count: number): Promise<void> {
  const quarters = new Map<string, (readonly number[])[]>();
  await measure(bench, {
    scenario: "C",
    what: `${count} steps`,
    unit: "steps/s",
    needs: ["steps"],
    size: count,
    rounds: bench.extent === "smoke" ? 2 : 5,
    async sample({ name, running }) {
      let marks: readonly number[] = [];
      const ms = await timed(async () => {
        // Every contestant's program gives these.
        marks = (await running.run({ kind: "steps", count })) as readonly number[];
      });
      quarters.set(name, [...(quarters.get(name) ?? []), marks]);
      return count / (ms / 1_000);
    },
  });
  if (count < 1_000) return;
  for (const [contestant, runs] of quarters) {
    for (const [what, from] of [
      ["first", 0],
      ["last", 3],
    ] as const) {
      const samples = runs.map((marks) => (((marks[from + 1] ?? 0) - (marks[from] ?? 0)) * 1_000) / (count / 4));
      bench.figures.add({
        scenario: "C",
        what: `${count} steps, one of the ${what} quarter`,
        contestant,
        unit: "µs",
        samples,
      });
    }
  }
}

/** The same, each step with one request to a service on the loopback interface. */
export const fetches: Scenario = {
  letter: "C-io",
  title: "sequential steps with a request each",
  async run(bench) {
    const isSmoke = bench.extent === "smoke";
    const count = isSmoke ? 100 : 1_000;
    await measure(bench, {
      scenario: "C-io",
      what: `${count} steps`,
      unit: "steps/s",
      needs: ["fetches"],
      size: count,
      rounds: isSmoke ? 2 : 5,
      sample: async ({ running }) =>
        count /
        ((await timed(() => running.run({ kind: "fetches", count, url: `${bench.service.url}/ok/io` }))) / 1_000),
    });
  },
};

/** Steps all at once in one execution. */
export const parallel: Scenario = {
  letter: "D",
  title: "parallel no-op steps in one execution",
  async run(bench) {
    for (const count of [100, 1_000]) {
      await measure(bench, {
        scenario: "D",
        what: `${count} steps`,
        unit: "ms",
        needs: ["parallel"],
        size: count,
        rounds: bench.extent === "smoke" ? 2 : 5,
        sample: ({ running }) => timed(() => running.run({ kind: "parallel", count })),
      });
    }
  },
};
