const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** What a clock on the wall shows, as if it were UTC. Asks the platform's own zones, a quarter of an hour at a time. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  shown(at: number): number {
    const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
    const known = this.#offsets.get(quarter);
    if (known !== undefined) return at + known;
    const part = Object.fromEntries(
      this.#format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 0, day, hour, minute, second } = part;
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter;
    this.#offsets.set(quarter, offset);
    return at + offset;
  }

  /** The moments from `from` to `until` at which the clock is changed. */
  changes(from: number, until: number): readonly number[] {
    const changes: number[] = [];
    for (let at = from; at < until; at += QUARTER_MS) {
      if (this.shown(at) - at !== this.shown(at - QUARTER_MS) - (at - QUARTER_MS)) changes.push(at);
    }
    return changes;
  }
}

/** Zones whose clocks change by an hour or by half of one, at night, at midnight, in winter, or never. */
export const TIME_ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
  "Africa/Cairo",
  "Asia/Kathmandu",
] as const;

export const YEAR_BEGINS_AT = Date.UTC(2026, 0, 1);
export const YEAR_ENDS_AT = Date.UTC(2027, 0, 1);
export { MINUTE_MS };
