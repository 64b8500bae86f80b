import type { Ledger } from "../../examples/flaky-service.ts";
import { isEnd, type Entry } from "../../src/journal/entry.ts";
import { JournalFault } from "../../src/journal/journal-fault.ts";
import { keyOwner } from "../../src/journal/key-owner.ts";
import { deriveKey } from "../../src/journal/draw.ts";
import type { State } from "../../src/journal/state.ts";
import { ADAPTERS } from "./adapters.ts";
import { stateOf } from "./alarms.ts";
import type { Loaded } from "./load.ts";
import type { Stored } from "./stored.ts";

/** What was found, and everything that is not as promised, in words. */
export interface Findings {
  readonly faults: readonly string[];
  /** Keys under which the service did its work. */
  readonly effects: number;
  /** Requests that a key kept from being a second effect: their outcome was lost with a process. */
  readonly repeated: number;
  /** Effects that no step accounts for, or that came after the outcome of theirs. */
  readonly duplicates: number;
}

/** An attempted step or rollback, and what the service must have seen of it. */
interface Work {
  readonly what: string;
  readonly key: string;
  readonly attempts: number;
  readonly completedAt: number | undefined;
  readonly callsNobody: boolean;
}

export function check(
  all: readonly Loaded[],
  stored: ReadonlyMap<string, Stored>,
  ledgers: readonly Ledger[],
): Findings {
  const contradictions = [...stored].flatMap(([name, one]) => contradiction(name, one));
  if (contradictions.length > 0) return { faults: contradictions, effects: 0, repeated: 0, duplicates: 0 };
  return checkWhole(all, stored, ledgers);
}

function checkWhole(
  all: readonly Loaded[],
  journals: ReadonlyMap<string, Stored>,
  ledgers: readonly Ledger[],
): Findings {
  const ledgersByKey = Map.groupBy(ledgers, ({ key }) => key);
  const works = [...journals].flatMap(([name, stored]) => worksOf(name, stored));
  const known = new Set(works.map(({ key }) => key));
  const foreign = ledgers.filter(({ key }) => !known.has(key));
  const late = works.flatMap((work) => lateFaults(work, ledgersByKey.get(work.key) ?? []));
  const faults = [
    ...all.flatMap((loaded) => lostBy(loaded, journals.get(nameOf(loaded)))),
    ...[...journals].flatMap(([name, stored]) => executionFaults(name, stored)),
    ...works.flatMap((work) => workFaults(work, ledgersByKey.get(work.key) ?? [])),
    ...foreign.map(({ path, key }) => `${path} was called under ${key}, which is the key of no step`),
    ...late,
  ];
  const successes = ledgers.map(({ hits }) => hits.filter(({ answer }) => answer.startsWith("200")).length);
  return {
    faults,
    effects: successes.filter((count) => count > 0).length,
    repeated: successes.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    duplicates: foreign.length + late.length,
  };
}

export function nameOf({ adapter, id }: Loaded): string {
  return `${adapter.workflow}/${id}`;
}

/** What its clients were told that it had taken. */
function lostBy(loaded: Loaded, stored: Stored | undefined): readonly string[] {
  const name = nameOf(loaded);
  if (stored === undefined) return loaded.isStarted ? [`${name} was started and is lost`] : [];
  const { signalKeys, callbacks } = stateOf(stored.entries);
  const kept = new Set([...signalKeys, ...[...callbacks.values()].map(({ answer }) => answer?.key)]);
  return loaded.keys.filter((key) => !kept.has(key)).map((key) => `${name} lost what it took under key ${key}`);
}

function executionFaults(name: string, { rows, entries: all }: Stored): readonly string[] {
  const faults: string[] = [];
  let next = 0;
  for (const { seq, entries } of rows) {
    if (seq !== next) faults.push(`${name} has row ${seq} where ${next} is due`);
    // The cast: the engine wrote it.
    next = seq + (JSON.parse(entries) as Entry[]).length;
  }
  const { end, pause } = stateOf(all);
  if (end === undefined) faults.push(`${name} has not ended: ${pause?.code ?? "it is not paused"}`);
  return [...faults, ...goesOnAfterEnd(name, all)];
}

/** What is still journaled after an end: that others have heard of it. */
const AFTER_THE_END: ReadonlySet<Entry["type"]> = new Set([
  "watched",
  "watchers-told",
  "children-cancelled",
  "delivery-failed",
  "child-started",
  "child-ended",
  "reported",
  "report-failed",
]);

function goesOnAfterEnd(name: string, entries: readonly Entry[]): readonly string[] {
  const endedAt = entries.findIndex(isEnd);
  const after = endedAt === -1 ? [] : entries.slice(endedAt + 1).filter(({ type }) => !AFTER_THE_END.has(type));
  return after.length === 0 ? [] : [`${name} goes on after its end: ${after.map(({ type }) => type).join(", ")}`];
}

/** An operation that settles twice, and the like, is a contradiction to the engine's own fold. */
function contradiction(name: string, { entries }: Stored): readonly string[] {
  try {
    stateOf(entries);
    return [];
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    return [`${name}: ${error.message}`];
  }
}

function worksOf(execution: string, { entries }: Stored): readonly Work[] {
  const state = stateOf(entries);
  const { started } = state;
  if (started === undefined) return [];
  const adapter = ADAPTERS.find(({ workflow }) => workflow === started.workflow);
  return [...attempted(state)].map(({ kind, op, name, attempts }) => {
    const type = kind === "step" ? "step-completed" : "rollback-completed";
    return {
      what: `${execution} ${kind} ${name}`,
      key: deriveKey(keyOwner(started), `${kind} ${op}`),
      attempts,
      completedAt: entries.find((entry) => entry.type === type && entry.op === op)?.at,
      callsNobody: adapter?.callsNobody?.(name) ?? false,
    };
  });
}

function* attempted({ operations, rollbacks }: State) {
  for (const operation of operations) if (operation.kind === "step") yield operation;
  yield* rollbacks.values();
}

function workFaults({ what, attempts, completedAt, callsNobody }: Work, ledgers: readonly Ledger[]): readonly string[] {
  const hits = ledgers.flatMap((ledger) => ledger.hits);
  const faults: string[] = [];
  if (ledgers.length > 1) faults.push(`${what} used its key for ${ledgers.map(({ path }) => path).join(" and ")}`);
  if (hits.length > attempts) faults.push(`${what} called ${hits.length} times in ${attempts} journaled attempts`);
  const early = hits.filter((hit) => hit.early).length;
  if (early > 0) faults.push(`${what} came ${early} times before the time that the service had asked for`);
  const isDone = hits.some(({ answer }) => answer.startsWith("200"));
  if (completedAt !== undefined && !callsNobody && !isDone)
    faults.push(`${what} completed, and the service did nothing`);
  return faults;
}

function lateFaults({ what, completedAt }: Work, ledgers: readonly Ledger[]): readonly string[] {
  if (completedAt === undefined) return [];
  const late = ledgers.flatMap(({ hits }) => hits).filter(({ at }) => at > completedAt).length;
  return late === 0 ? [] : [`${what} called ${late} times after its outcome was journaled`];
}
