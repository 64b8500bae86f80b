import type { JournalRow, Ports } from "../../src/execution/ports.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

/** How often an execution has asked its platform for something. */
export interface Counts {
  turns: number;
  syncs: number;
  commits: number;
  bytes: number;
  rowsRead: number;
  alarms: number;
  timers: number;
  looksAtClock: number;
}

/** A platform in memory that counts: what an execution costs, whatever the machine is doing. */
export class CountedPorts {
  readonly clock = new VirtualClock(1_000_000);
  readonly counts: Counts = {
    turns: 0,
    syncs: 0,
    commits: 0,
    bytes: 0,
    rowsRead: 0,
    alarms: 0,
    timers: 0,
    looksAtClock: 0,
  };
  /** Commits that nobody has waited for since. */
  unsynced = 0;
  alarm: number | undefined;
  readonly #rows: JournalRow[] = [];
  /** The ports of one more object over the same storage. */
  ports(): Ports {
    const { counts, clock } = this;
    const rows = this.#rows;
    const endTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
    return {
      storage: {
        read(from, limit = rows.length) {
          const first = Math.max(
            0,
            rows.findLastIndex((row) => row.seq <= from),
          );
          const read = rows.slice(first, first + limit);
          counts.rowsRead += read.length;
          return read;
        },
        write: (commit) => {
          counts.commits += 1;
          this.unsynced += 1;
          for (const row of commit.rows) counts.bytes += row.entries.length;
          rows.push(...commit.rows);
        },
        readBlob: () => undefined,
        readBlobParts: () => [],
        deleteAll: async () => {},
        rowsWritten: 0,
      },
      staging: {
        isUsed: false,
        add: () => refuse("a copy"),
        adopt: () => refuse("a copy"),
        discard: () => refuse("a copy"),
      },
      alarm: {
        get: async () => this.alarm,
        set: (at) => {
          counts.alarms += 1;
          this.alarm = at;
        },
      },
      clock: {
        now() {
          counts.looksAtClock += 1;
          return clock.now();
        },
        timer(at, callback) {
          counts.timers += 1;
          return clock.timer(at, callback);
        },
      },
      turn: {
        async end() {
          counts.turns += 1;
          await endTurn();
        },
        durable: async () => {
          counts.syncs += 1;
          this.unsynced = 0;
          await endTurn();
        },
      },
      fetch: () => Promise.reject(new Error("Nothing here sends requests.")),
      executions: () => refuse("another execution"),
      env: {},
      log: () => {},
    };
  }
}

function refuse(what: string): never {
  throw new Error(`Nothing here asks for ${what}.`);
}
