/** A stretch of time in a lane. */
export interface Bar {
  /** `lives`: the object is in memory. */
  readonly kind: "runs" | "waits" | "lives";
  readonly from: number;
  readonly to: number;
  /** Shown where there is room for it. */
  readonly label?: string;
}

/** A moment in a lane. */
export interface Mark {
  readonly kind: "done" | "failed" | "lost" | "called" | "given-up";
  readonly at: number;
}

export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

/** What came from outside: a line through all lanes. */
export interface Happening {
  readonly at: number;
  readonly label: string;
}

/** What happened over time: lanes above each other, all of one scale. Times are virtual and begin at 0. */
export interface Picture {
  /** For those who do not see it. */
  readonly title: string;
  readonly lanes: readonly Lane[];
  readonly happenings?: readonly Happening[];
}

/** The last moment that a picture shows. */
export function endOf({ lanes, happenings = [] }: Picture): number {
  const moments = lanes.flatMap(({ bars, marks }) => [...bars.map(({ to }) => to), ...marks.map(({ at }) => at)]);
  return Math.max(1, ...moments, ...happenings.map(({ at }) => at));
}
