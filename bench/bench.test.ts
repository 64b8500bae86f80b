import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { measure, type Bench, type Measurement, type Started } from "./bench.ts";
import type { Running } from "./contestant.ts";
import { Figures } from "./figures.ts";

const nothing = () => Promise.resolve();

function contestant(name: string, more: Partial<Running> = {}): Started & { renewals: number } {
  const running: Running = {
    settings: "",
    run: nothing,
    begin: nothing,
    kill: nothing,
    restart: nothing,
    stop: nothing,
    ...more,
  };
  return {
    name,
    running,
    lost: undefined,
    renewals: 0,
    async renew() {
      this.renewals += 1;
    },
  };
}

function benchOf(...contestants: readonly Started[]): Bench {
  const unused = () => {
    throw new Error("No measurement here asks the service.");
  };
  const service = { url: "", hits: unused, failedAt: unused, paths: unused, forget: unused, close: unused };
  return { extent: "full", contestants, figures: new Figures(), service, log: () => {}, overdue: new Map() };
}

const measurement = (more: Partial<Measurement>): Measurement => ({
  scenario: "C",
  what: "100 steps",
  unit: "ms",
  needs: ["steps"],
  rounds: 2,
  sample: async () => 1,
  ...more,
});

describe("a measurement", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("leaves out who gives no sample in time, ends what that one does, and asks it for nothing larger", async () => {
    const [quick, stuck] = [contestant("quick"), contestant("stuck")];
    const bench = benchOf(quick, stuck);
    const sample = async ({ name }: Started) => (name === "stuck" ? await new Promise<number>(() => {}) : 7);
    const first = measure(bench, measurement({ sample }));
    await vi.advanceTimersByTimeAsync(45_000);
    await first;
    expect(bench.figures.find({ scenario: "C", what: "100 steps", contestant: "quick" })?.samples).toEqual([7, 7]);
    expect(bench.figures.missing).toMatchObject([{ contestant: "stuck", reason: "no end within 45 s" }]);
    expect([quick.renewals, stuck.renewals]).toEqual([0, 1]);
    await measure(bench, measurement({ what: "1000 steps", sample }));
    expect(bench.figures.missing.at(-1)).toMatchObject({
      what: "1000 steps",
      contestant: "stuck",
      reason: "not tried after 100 steps: no end within 45 s",
    });
    await measure(bench, measurement({ scenario: "D", what: "100 steps" }));
    expect(bench.figures.value({ scenario: "D", what: "100 steps", contestant: "stuck" })).toBe(1);
  });

  it("gives a contestant that failed no further round, and lets it live", async () => {
    const one = contestant("one");
    const bench = benchOf(one);
    const sample = vi.fn<() => Promise<number>>(async () => {
      throw new Error("refused");
    });
    await measure(bench, measurement({ sample }));
    expect(bench.figures.missing).toMatchObject([{ reason: "refused" }]);
    expect([sample.mock.calls.length, one.renewals]).toEqual([1, 0]);
  });

  it("does not ask for what a contestant does not do, or not at this size", async () => {
    const bench = benchOf(
      contestant("none", { without: { steps: "no steps" } }),
      contestant("few", { atMost: { steps: 100 } }),
    );
    await measure(bench, measurement({ size: 1_000 }));
    expect(bench.figures.missing.map(({ reason }) => reason)).toEqual([
      "no steps",
      "not tried: it takes minutes for more than 100 steps",
    ]);
    await measure(bench, measurement({ size: 100 }));
    expect(bench.figures.all.map((figure) => figure.contestant)).toEqual(["few"]);
  });
});
