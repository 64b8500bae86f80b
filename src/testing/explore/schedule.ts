import { showValue } from "../../steps/show-value.ts";

/**
 * What happens to a run besides what its code does. Commits and turns are counted from 1 over all executions.
 *
 * - `crash before commit 3`: the object dies in place of that commit, and what the turn had written is lost with it.
 * - `crash after commit 3`: it dies at the end of the turn in which that commit became durable.
 * - `evict at turn 5`: it loses its memory at the end of that turn, before the engine goes on; what was written is kept.
 * - `complete ["b","a"]`: where several steps have ended at once, those named here come first, in this order.
 * - `delay ["a"]`: the outcomes of these steps come a little later in real time, while the clock stands.
 */
export type Fault =
  | `crash before commit ${number}`
  | `crash after commit ${number}`
  | `evict at turn ${number}`
  | `complete [${string}]`
  | `delay [${string}]`;

export type Schedule = readonly Fault[];

/** A schedule as a run looks it up. */
export interface ReadSchedule {
  readonly crashBefore: ReadonlySet<number>;
  readonly crashAfter: ReadonlySet<number>;
  readonly evictAt: ReadonlySet<number>;
  /** The order in which steps complete that have ended at once; `undefined` where none is asked for. */
  readonly order: readonly string[] | undefined;
  readonly delayed: ReadonlySet<string>;
}

const NUMBERED = /^(crash before commit|crash after commit|evict at turn) ([1-9]\d{0,8})$/;
const NAMED = /^(complete|delay) (\[.*\])$/s;

type ReadFault =
  | { readonly what: string; readonly number: number }
  | { readonly what: string; readonly names: readonly string[] };

/** @throws TypeError that names the fault and the rule */
export function readSchedule(schedule: unknown): ReadSchedule {
  if (!Array.isArray(schedule)) {
    throw new TypeError(
      `Cannot use schedule as it must be an array of faults: current value is ${showValue(schedule)}`,
    );
  }
  const faults = Array.from<unknown, ReadFault>(schedule, (fault, index) => {
    const read = typeof fault === "string" ? readFault(fault) : undefined;
    if (read === undefined) throw unreadable(index, fault);
    return read;
  });
  const numbers = (what: string) =>
    new Set(faults.flatMap((fault) => ("number" in fault && fault.what === what ? [fault.number] : [])));
  const names = (what: string) =>
    faults.flatMap((fault) => ("names" in fault && fault.what === what ? fault.names : []));
  return {
    crashBefore: numbers("crash before commit"),
    crashAfter: numbers("crash after commit"),
    evictAt: numbers("evict at turn"),
    order: faults.some(({ what }) => what === "complete") ? names("complete") : undefined,
    delayed: new Set(names("delay")),
  };
}

function readFault(fault: string): ReadFault | undefined {
  const [, counted, number] = NUMBERED.exec(fault) ?? [];
  if (counted !== undefined) return { what: counted, number: Number(number) };
  const [, listed, text] = NAMED.exec(fault) ?? [];
  const names = text === undefined ? undefined : readNames(text);
  return listed === undefined || names === undefined ? undefined : { what: listed, names };
}

function readNames(text: string): readonly string[] | undefined {
  try {
    const names = JSON.parse(text) as unknown;
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
  } catch {
    // No JSON is no list of names either: the caller says what is wrong with the fault.
    return undefined;
  }
}

function unreadable(index: number, fault: unknown): TypeError {
  const rule =
    'a fault must be like "crash before commit 3", "crash after commit 3", "evict at turn 5", \'complete ["b","a"]\' ' +
    "or 'delay [\"a\"]'";
  return new TypeError(`Cannot use schedule[${index}] as ${rule}: current value is ${showValue(fault)}`);
}

// The casts: JSON writes an array in brackets.
export const completeFault = (names: readonly string[]) => `complete ${JSON.stringify(names)}` as Fault;
export const delayFault = (names: readonly string[]) => `delay ${JSON.stringify(names)}` as Fault;

/** The part of a schedule that decides which of several steps completes first: a run with it has outcomes of its own. */
export function orderOf(schedule: Schedule): Schedule {
  return schedule.filter((fault) => fault.startsWith("complete"));
}

/** Schedules that do less than this one, and may show the same. */
export function smallerSchedules(schedule: Schedule): Schedule[] {
  const without = schedule.length > 1 ? schedule.map((_, index) => schedule.toSpliced(index, 1)) : [];
  const fewerNames = schedule.flatMap((fault, index) => fewerOf(fault).map((one) => schedule.with(index, one)));
  return [...without, ...fewerNames];
}

function fewerOf(fault: Fault): Fault[] {
  const read = readFault(fault);
  if (read === undefined || !("names" in read) || read.names.length < 2) return [];
  const make = read.what === "complete" ? completeFault : delayFault;
  return read.names.map((_, index) => make(read.names.toSpliced(index, 1)));
}
