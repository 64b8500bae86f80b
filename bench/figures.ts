import { median, percentile } from "./statistics.ts";

export type Unit = "ms" | "steps/s" | "rows" | "times" | "KiB" | "MiB" | "µs" | "of 1" | "$";

/** What was measured of one contestant: every sample is kept, the figure is their median. */
export interface Figure {
  readonly scenario: string;
  readonly what: string;
  readonly contestant: string;
  readonly unit: Unit;
  readonly samples: readonly number[];
}

/** Why there is no figure. */
export interface Missing extends Omit<Figure, "unit" | "samples"> {
  readonly reason: string;
}

export type FigureName = Pick<Figure, "scenario" | "what" | "contestant">;

/** Everything that one run of the benchmark has found. */
export class Figures {
  readonly all: Figure[] = [];
  readonly missing: Missing[] = [];

  add(figure: Figure): void {
    this.all.push(figure);
  }

  miss(missing: Missing): void {
    this.missing.push(missing);
  }

  find({ scenario, what, contestant }: FigureName): Figure | undefined {
    return this.all.find((one) => one.scenario === scenario && one.what === what && one.contestant === contestant);
  }

  /** The median; `undefined` where it was not measured. */
  value(name: FigureName): number | undefined {
    const figure = this.find(name);
    return figure && median(figure.samples);
  }
}

/** Half of the samples, and what 95 and 99 of a hundred stay below. */
export function spread(samples: readonly number[]): Readonly<Record<"p50" | "p95" | "p99", number>> {
  return { p50: median(samples), p95: percentile(samples, 0.95), p99: percentile(samples, 0.99) };
}
