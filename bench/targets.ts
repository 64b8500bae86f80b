import type { Figures } from "./figures.ts";
import { spread } from "./figures.ts";
import { BURST, COMPARED, OWN_TIME, STEPWELL, TURNS } from "./names.ts";

/** What Stepwell is held to, mostly against the bare object in the same run. */
export interface Target {
  readonly scenario: string;
  readonly text: string;
  readonly rule: "at most" | "at least";
  readonly limit: number;
  /** On a machine that does other things at the same time; `undefined` where only a quiet one can tell. */
  readonly generous?: number;
  /** `undefined` where it was not measured. */
  readonly value: (figures: Figures) => number | undefined;
}

export interface Verdict extends Pick<Target, "scenario" | "text" | "rule" | "limit"> {
  readonly value: number;
  readonly isMet: boolean;
}

interface Compared {
  readonly scenario: string;
  readonly what: string;
}

const ofStepwell = (of: Compared) => (figures: Figures) => figures.value({ ...of, contestant: STEPWELL });

const ratioTo = (contestant: string, of: Compared) => (figures: Figures) =>
  ratio(figures.value({ ...of, contestant: STEPWELL }), figures.value({ ...of, contestant }));

function ratio(value: number | undefined, to: number | undefined): number | undefined {
  return value === undefined || to === undefined ? undefined : value / to;
}

const ratioOfOwn = (scenario: string, what: string, to: string) => (figures: Figures) =>
  ratio(ofStepwell({ scenario, what })(figures), ofStepwell({ scenario, what: to })(figures));

/** Stepwell's against the best of those who are no bare object. */
const ratioToPeers =
  (of: Compared, best: "highest" | "lowest") =>
  (figures: Figures): number | undefined => {
    const peers = figures.all.filter(
      ({ scenario, what, contestant }) =>
        scenario === of.scenario && what === of.what && !COMPARED.includes(contestant),
    );
    const values = peers.map((peer) => figures.value(peer) ?? Number.NaN);
    if (values.length === 0) return undefined;
    return ratio(ofStepwell(of)(figures), best === "highest" ? Math.max(...values) : Math.min(...values));
  };

const overBare = (share: "p50" | "p99", what: string) => (figures: Figures) => {
  const own = figures.find({ scenario: "E", what, contestant: STEPWELL });
  const bare = figures.find({ scenario: "E", what, contestant: TURNS });
  return own && bare && spread(own.samples)[share] - spread(bare.samples)[share];
};

export const TARGETS: readonly Target[] = [
  {
    scenario: "A",
    text: "time of one step, of that of the bare object",
    rule: "at most",
    limit: 1.3,
    generous: 3,
    value: ratioTo(TURNS, { scenario: "A", what: "1 step" }),
  },
  {
    scenario: "A",
    text: "time of one step, of that of the fastest peer",
    rule: "at most",
    limit: 1,
    value: ratioToPeers({ scenario: "A", what: "1 step" }, "lowest"),
  },
  ...["50", "200", "1000"].map((count): Target => ({
    scenario: "B",
    text: `steps a second of ${count} executions, of those of the bare object with a turn for each row`,
    rule: "at least",
    limit: 0.8,
    generous: 0.2,
    value: ratioTo(TURNS, { scenario: "B", what: `${count} executions` }),
  })),
  {
    scenario: "C",
    text: "steps a second of 1,000, of those of the bare object with a turn for each row",
    rule: "at least",
    limit: 0.8,
    generous: 0.25,
    value: ratioTo(TURNS, { scenario: "C", what: "1000 steps" }),
  },
  {
    scenario: "C",
    text: "steps a second of 1,000, of those of the fastest peer",
    rule: "at least",
    limit: 2,
    value: ratioToPeers({ scenario: "C", what: "1000 steps" }, "highest"),
  },
  {
    scenario: "C",
    text: "cost of a late step of 20,000, of that of a late one of 1,000",
    rule: "at most",
    limit: 1.3,
    value: ratioOfOwn("C", "20000 steps, one of the last quarter", "1000 steps, one of the last quarter"),
  },
  {
    scenario: "C-io",
    text: "steps a second with a request each, of those of the bare object",
    rule: "at least",
    limit: 1 / 1.2,
    generous: 0.3,
    value: (figures) =>
      ratioTo(TURNS, { scenario: "C-io", what: "1000 steps" })(figures) ??
      ratioTo(TURNS, { scenario: "C-io", what: "100 steps" })(figures),
  },
  {
    scenario: "D",
    text: "time of 100 parallel steps, of that of the bare object with one turn",
    rule: "at most",
    limit: 2,
    generous: 5,
    value: ratioTo(BURST, { scenario: "D", what: "100 steps" }),
  },
  {
    scenario: "D",
    text: "time of 1,000 parallel steps, of that of 100",
    rule: "at most",
    limit: 10,
    generous: 20,
    value: ratioOfOwn("D", "1000 steps", "100 steps"),
  },
  {
    scenario: "E",
    text: "overshoot over that of a bare alarm, p50 in ms",
    rule: "at most",
    limit: 2,
    generous: 25,
    value: overBare("p50", "1 step of 100 ms"),
  },
  {
    scenario: "E",
    text: "overshoot over that of a bare alarm, p99 in ms",
    rule: "at most",
    limit: 25,
    value: overBare("p99", "1 step of 100 ms"),
  },
  ...["20 parallel steps", "200 parallel steps", "200 parallel steps of 20 ms"].flatMap((what): Target[] => [
    {
      scenario: "E",
      text: `${what}: retries before their time`,
      rule: "at most",
      limit: 0,
      generous: 0,
      value: ofStepwell({ scenario: "E", what: `${what}, too early` }),
    },
    {
      scenario: "E",
      text: `${what}: retries ${OWN_TIME}`,
      rule: "at least",
      limit: Number.parseInt(what, 10),
      value: ofStepwell({ scenario: "E", what: `${what}, ${OWN_TIME}` }),
    },
  ]),
  {
    scenario: "F",
    text: "completed steps that ran again after SIGKILL",
    rule: "at most",
    limit: 0,
    generous: 0,
    value: ofStepwell({ scenario: "F", what: "completed steps that ran again" }),
  },
  {
    scenario: "F",
    text: "from the restart to the next step, of 1.2 s or the age of the burst",
    rule: "at most",
    limit: 1,
    value: (figures) => {
      const ms = ofStepwell({ scenario: "F", what: "from the restart to the next step" })(figures);
      const age = ofStepwell({ scenario: "F", what: "age of the burst when it was killed" })(figures);
      return age === undefined ? undefined : ratio(ms, Math.max(1_200, age));
    },
  },
  ...(["at most", "at least"] as const).map((rule): Target => ({
    scenario: "F",
    text: "attempts of a budget of 3 with SIGKILL in the second backoff",
    rule,
    limit: 3,
    generous: 3,
    value: ofStepwell({ scenario: "F", what: "attempts of a budget of 3" }),
  })),
  ...["1000", "10000", "24990"].map((count): Target => ({
    scenario: "R",
    text: `replay of ${count} operations, µs each`,
    rule: "at most",
    limit: 30,
    ...(count === "1000" && { generous: 1_000 }),
    value: ofStepwell({ scenario: "R", what: `${count} operations, each` }),
  })),
  ...["50", "10000"].flatMap((count): Target[] => [
    {
      scenario: "S",
      text: `${count} sleepers: disk of each in KiB`,
      rule: "at most",
      limit: 16,
      ...(count === "50" && { generous: 16 }),
      value: ofStepwell({ scenario: "S", what: `${count}: disk of each` }),
    },
    {
      scenario: "S",
      text: `${count} sleepers: objects in memory once evicted`,
      rule: "at most",
      limit: 0,
      ...(count === "50" && { generous: 0 }),
      value: ofStepwell({ scenario: "S", what: `${count}: objects in memory once evicted` }),
    },
    {
      scenario: "S",
      text: `${count} sleepers: woken too early`,
      rule: "at most",
      limit: 0,
      generous: 0,
      value: ofStepwell({ scenario: "S", what: `${count}: woken too early` }),
    },
  ]),
  {
    scenario: "W",
    text: "rows of ten steps that never wait",
    rule: "at most",
    limit: 16,
    generous: 16,
    value: ofStepwell({ scenario: "W", what: "10 steps" }),
  },
  {
    scenario: "W",
    text: "rows of each further step",
    rule: "at most",
    limit: 1,
    generous: 1.05,
    value: ofStepwell({ scenario: "W", what: "each further step" }),
  },
  {
    scenario: "W",
    text: "rows of each retry",
    rule: "at most",
    limit: 4,
    generous: 4,
    value: ofStepwell({ scenario: "W", what: "each retry" }),
  },
  {
    scenario: "start",
    text: "first request after a cold start, of that of a bare Hono Worker with an object",
    rule: "at most",
    limit: 1.2,
    generous: 5,
    value: ratioTo(TURNS, { scenario: "start", what: "first request" }),
  },
];

/** What can be said of each target; `generous` for a run on a machine that is not quiet. */
export function judge(figures: Figures, generous: boolean): readonly Verdict[] {
  return TARGETS.flatMap((target) => {
    const { scenario, text, rule } = target;
    const limit = generous ? target.generous : target.limit;
    const value = target.value(figures);
    if (limit === undefined || value === undefined) return [];
    return [{ scenario, text, rule, limit, value, isMet: rule === "at most" ? value <= limit : value >= limit }];
  });
}
