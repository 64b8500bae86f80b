import type { Alarm, Clock, Directory, Executions, Fetch, LogLevel, Ports, Turn } from "../execution/ports.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { SqliteStaging } from "./sqlite-staging.ts";

// Taken once, when the module loads: fake timers in somebody's test must not stop the engine.
const { setTimeout, clearTimeout, fetch } = globalThis;
const dateNow = Date.now;

/** `setTimeout` counts in 32 bits and fires at once beyond them. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const REAL_CLOCK: Clock = {
  now: () => dateNow(),
  timer(at, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const leftMs = at - dateNow();
      // A timer may be a millisecond early.
      if (leftMs <= 0) callback();
      else timer = setTimeout(wait, Math.min(leftMs, LONGEST_TIMER_MS));
    };
    timer = setTimeout(wait, Math.min(Math.max(0, at - dateNow()), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

export const REAL_FETCH: Fetch = (url, init) => fetch(url, init);

/** What tests replace. */
export interface Surroundings {
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** By the bindings of the Worker. */
  readonly executions: (env: unknown) => Executions;
  /** Absent where it is switched off. */
  readonly directory?: (env: unknown) => Directory;
}

/** Where the rows are counted that an object writes. */
export interface RowCount {
  count(rows: number): void;
}

/** The alarm of an object. */
export class ObjectAlarm implements Alarm {
  readonly #storage: DurableObjectStorage;
  readonly #rows: RowCount;
  readonly #clock: Clock;
  /** The time for which the running handler was called. */
  scheduledAt = 0;

  constructor(storage: DurableObjectStorage, rows: RowCount, clock: Clock) {
    this.#storage = storage;
    this.#rows = rows;
    this.#clock = clock;
  }

  async get(): Promise<number | undefined> {
    return (await this.#storage.getAlarm()) ?? undefined;
  }

  set(at: number | undefined): void {
    this.#rows.count(1);
    // An alarm for the very millisecond of the one whose handler runs is lost (seen on workerd in November 2026).
    const done =
      at === undefined
        ? this.#storage.deleteAlarm()
        : this.#storage.setAlarm(Math.max(Math.ceil(at), this.#clock.now() + 1, this.scheduledAt + 1));
    // A write that fails resets the object, and what it sent in that turn never leaves: nothing is to be done here.
    done.catch((error: unknown) => console.error("The alarm could not be set.", error));
  }
}

/**
 * The end of a turn is the end of an empty critical section: every microtask has run by then, for 10 µs. The other
 * ways were tried in November 2026: timers of 0 ms take 1 ms, `MessageChannel` and `crypto.subtle` answer too early.
 */
export function objectTurn(state: DurableObjectState): Turn {
  return {
    end: () => state.blockConcurrencyWhile(async () => {}),
    durable: () => state.storage.sync(),
  };
}

export function writeLog(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void {
  console[level](message, fields);
}

/** What one object gives to its execution. */
export function portsOf(
  state: DurableObjectState,
  env: unknown,
  { clock, fetch: send, executions, directory }: Surroundings,
): Ports & { readonly alarm: ObjectAlarm } {
  const storage = new SqliteJournal(state.storage);
  const alarm = new ObjectAlarm(state.storage, storage, clock);
  const staging = new SqliteStaging(state.storage, storage);
  return {
    storage,
    staging,
    alarm,
    clock,
    turn: objectTurn(state),
    fetch: send,
    executions: executions(env),
    directory: directory?.(env),
    env,
    log: writeLog,
  };
}
