import type { Phase, Tally } from "./figures.ts";
import type { World } from "./world.ts";

/** Tells what has happened since it was asked last. */
export class Phases {
  readonly #world: World;
  #before: Readonly<Tally>;
  #rowsBefore = 0;

  constructor(world: World) {
    this.#world = world;
    this.#before = { ...world.tally };
  }

  end(): Phase {
    const { tally, shards } = this.#world;
    const rows = shards.reduce((sum, { table }) => sum + table.rowsWritten, 0);
    const phase = {
      ...differenceOf(tally, this.#before),
      rowsOfDirectory: rows - this.#rowsBefore,
      busiestSecond: Math.max(...shards.map(({ load }) => load.busiestSecond)),
      longestWaitMs: Math.max(...shards.map(({ load }) => load.longestWaitMs)),
    };
    this.#before = { ...tally };
    this.#rowsBefore = rows;
    for (const { load } of shards) {
      load.busiestSecond = 0;
      load.longestWaitMs = 0;
    }
    return phase;
  }
}

function differenceOf(now: Readonly<Tally>, before: Readonly<Tally>): Tally {
  return {
    started: now.started - before.started,
    woken: now.woken - before.woken,
    known: now.known - before.known,
    purged: now.purged - before.purged,
    told: now.told - before.told,
    untold: now.untold - before.untold,
    removals: now.removals - before.removals,
    unremoved: now.unremoved - before.unremoved,
    asked: now.asked - before.asked,
    entriesOfReports: now.entriesOfReports - before.entriesOfReports,
    alarms: now.alarms - before.alarms,
  };
}
