import type { Ledger } from "../../examples/flaky-service.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { deriveKey } from "../../src/journal/draw.ts";
import type { State } from "../../src/journal/state.ts";
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
  journals: ReadonlyMap<string, Stored>,
  ledgers: readonly Ledger[],
): Findings {
  const ledgersByKey = Map.groupBy(ledgers, ({ key }) => key);
  const works = all.flatMap((loaded) => worksOf(loaded, journals.get(nameOf(loaded))));
  const known = new Set(works.map(({ key }) => key));
  const foreign = ledgers.filter(({ key }) => !known.has(key));
  const late = works.flatMap((work) => lateFaults(work, ledgersByKey.get(work.key) ?? []));
  const faults = [
    ...all.flatMap((loaded) => executionFaults(loaded, journals.get(nameOf(loaded)))),
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

function executionFaults(loaded: Loaded, stored: Stored | undefined): readonly string[] {
  const name = nameOf(loaded);
  if (stored === undefined) return loaded.isStarted ? [`${name} was started and is lost`] : [];
  const faults: string[] = [];
  let next = 0;
  for (const { seq, entries } of stored.rows) {
    if (seq !== next) faults.push(`${name} has row ${seq} where ${next} is due`);
    // The cast: the engine wrote it.
    next = seq + (JSON.parse(entries) as Entry[]).length;
  }
  const state = stateOf(stored.entries);
  if (state.end === undefined) faults.push(`${name} has not ended: ${state.pause?.code ?? "it is not paused"}`);
  const kept = new Set([...state.signalKeys, ...[...state.callbacks.values()].map(({ answer }) => answer?.key)]);
  for (const key of loaded.keys) if (!kept.has(key)) faults.push(`${name} lost what it took under key ${key}`);
  return [...faults, ...repeatedOutcomes(name, stored.entries)];
}

/** An operation settles once, and an execution ends once, with its last entry. */
function repeatedOutcomes(name: string, entries: readonly Entry[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [number, entry] of entries.entries()) {
    const isEnd = entry.type === "completed" || entry.type === "failed" || entry.type === "cancelled";
    if (isEnd && number !== entries.length - 1) faults.push(`${name} goes on after its end`);
    if (entry.type !== "step-completed" && entry.type !== "timer-fired" && entry.type !== "rollback-completed")
      continue;
    const outcome = `${entry.type} of operation ${entry.op}`;
    if (seen.has(outcome)) faults.push(`${name} has ${outcome} twice`);
    seen.add(outcome);
  }
  return faults;
}

function worksOf(loaded: Loaded, stored: Stored | undefined): readonly Work[] {
  if (stored === undefined) return [];
  const { entries } = stored;
  const state = stateOf(entries);
  const { started } = state;
  if (started === undefined) return [];
  const owner = `${started.workflow}/${started.id}/${started.at}`;
  const works = [...attempted(state)].map(({ kind, op, name, attempts }): Work => {
    const type = kind === "step" ? "step-completed" : "rollback-completed";
    return {
      what: `${nameOf(loaded)} ${kind} ${name}`,
      key: deriveKey(owner, `${kind} ${op}`),
      attempts,
      completedAt: entries.find((entry) => entry.type === type && entry.op === op)?.at,
      callsNobody: loaded.adapter.callsNobody?.(name) ?? false,
    };
  });
  return works;
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
