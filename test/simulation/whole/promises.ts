import type { Entry } from "../../../src/journal/entry.ts";
import { fold } from "../../../src/journal/fold.ts";
import { emptyState, type State, type StepOperation } from "../../../src/journal/state.ts";
import { PLAIN, PLAIN_STEPS, type Record, type Talk } from "./record.ts";

/** What is promised, by its name, and how a record of everything breaks it. */
export interface Promised {
  readonly name: string;
  readonly broken: (record: Record) => readonly string[];
}

export const PROMISES: readonly Promised[] = [
  {
    name: "a step runs until its outcome is journaled, then never again",
    broken: ({ ranAgain }) => ranAgain,
  },
  {
    name: "a step's function is called no more often than its attempts were journaled, but for what was lost",
    broken: (record) =>
      stepsOf(record).flatMap(({ name, attempts }) => {
        const hits = record.hits.get(name) ?? 0;
        return hits <= attempts + record.disturbed ? [] : [`${name} has ${hits} calls and ${attempts} attempts`];
      }),
  },
  {
    name: "each step has its own budget",
    broken: (record) => each(record, budgetFaults),
  },
  {
    name: "nothing happens before its time",
    broken: (record) => each(record, earlyFaults),
  },
  {
    name: "at every rest the alarm is what the journal asks for, and a touch restores one that was lost",
    broken: ({ wrongAlarms, lastAlarms }) => [...wrongAlarms, ...lastAlarms],
  },
  {
    name: "replay decides as the first run did",
    broken: (record) => each(record, (journal) => pausesFor(journal, (code) => code.includes("MISMATCH"))),
  },
  {
    name: "a broken run pauses and burns no execution",
    broken: (record) =>
      each(record, (journal) =>
        journal.flatMap((entry) =>
          entry.type === "failed" && JSON.stringify(entry).includes("The code is broken") ? [entry.message] : [],
        ),
      ),
  },
  {
    name: "what the journal does not hold, other executions have not seen",
    broken: ({ tooEarly }) => tooEarly,
  },
  {
    name: "what a client was told, the journal holds",
    broken: (record) => record.talks.flatMap((talk) => unkept(record, talk)),
  },
  {
    name: "what was asked twice under one key, was done once",
    broken: (record) => each(record, doneTwice),
  },
  {
    name: "a sequential workflow costs one row for each step, but for what was lost",
    broken: ({ rows, journals, disturbed }) => {
      // After a death each attempt is durable before it starts, and then its outcome.
      const rowsOfStep = disturbed > 0 ? 2 : 1;
      const journal = journals.get(PLAIN) ?? [];
      const reports = journal.filter(({ type }) => type === "reported" || type === "report-failed").length;
      const most = rowsOfStep * PLAIN_STEPS + 4 * (disturbed + 1) + 2 * runFailures(journal) + reports;
      const taken = rows.get(PLAIN) ?? 0;
      return taken <= most ? [] : [`${PLAIN} takes ${taken} rows`];
    },
  },
  {
    name: "an execution that waits says for what, and by which rule",
    broken: ({ talks }) => talks.flatMap(silentWaits),
  },
  {
    name: "every journal can be read, entry by entry",
    broken: (record) => each(record, unreadable),
  },
  {
    name: "everything that was started ends, and whoever waits for it is told",
    broken: (record) => each(record, leftOpen),
  },
  {
    name: "a child has one parent, and ends or goes on as it was told when that has ended",
    broken: familyFaults,
  },
  {
    name: "the directory lists every execution as it has ended, and none that is not there",
    broken: ({ journals, listed }) => {
      const unlisted = [...journals].flatMap(([name, journal]) => {
        const end = stateOf(journal).end?.type;
        return listed.get(name) === end ? [] : [`${name} is ${end} and listed as ${listed.get(name)}`];
      });
      return [...unlisted, ...[...listed.keys()].filter((name) => !journals.has(name))];
    },
  },
  {
    name: "a client that insists is answered",
    broken: ({ unanswered }) => unanswered,
  },
];

function each({ journals }: Record, faults: (journal: readonly Entry[]) => readonly string[]): readonly string[] {
  return [...journals].flatMap(([name, journal]) => faults(journal).map((fault) => `${name}: ${fault}`));
}

/** As far as it can be read: that it can is a promise of its own. */
function stateOf(journal: readonly Entry[]): State {
  return foldOf(journal).state;
}

function foldOf(journal: readonly Entry[]): { readonly state: State; readonly fault?: string } {
  const state = emptyState();
  try {
    for (const entry of journal) fold(state, entry);
  } catch (fault) {
    return { state, fault: String(fault) };
  }
  return { state };
}

function stepsOf({ journals }: Record): readonly StepOperation[] {
  return [...journals.values()].flatMap((journal) =>
    stateOf(journal).operations.filter((operation) => operation.kind === "step"),
  );
}

/** Failures up to the limit, and none that is not its own: the attempts of one step are numbered without a gap. */
function budgetFaults(journal: readonly Entry[]): readonly string[] {
  const { operations } = stateOf(journal);
  const failures = new Map<number, number>();
  const faults: string[] = [];
  for (const entry of journal) {
    if (entry.type !== "attempt-failed") continue;
    const operation = operations[entry.op];
    if (operation?.kind !== "step") continue;
    const count = (failures.get(entry.op) ?? 0) + 1;
    failures.set(entry.op, count);
    const { maximumAttempts = Infinity } = operation.policy;
    if (count > maximumAttempts) faults.push(`${operation.name} failed ${count} times of ${maximumAttempts}`);
    if (entry.spent === "attempts" && operation.attempts - operation.uncharged < maximumAttempts)
      faults.push(`${operation.name} is spent after ${operation.attempts} attempts of ${maximumAttempts}`);
  }
  return faults;
}

/** Retries and timers against the times that the journal itself set for them. */
function earlyFaults(journal: readonly Entry[]): readonly string[] {
  const dueAt = new Map<number, number>();
  const faults: string[] = [];
  for (const entry of journal) {
    if (entry.type === "attempt-failed" && entry.spent === undefined) dueAt.set(entry.op, entry.retryAt);
    if (entry.type === "timer-set") dueAt.set(entry.op, entry.dueAt);
    if (entry.type !== "attempt-started" && entry.type !== "timer-fired") continue;
    const due = dueAt.get(entry.op) ?? -Infinity;
    if (entry.at < due) faults.push(`${entry.type} of ${entry.op} at ${entry.at}, due at ${due}`);
  }
  return faults;
}

function pausesFor(journal: readonly Entry[], counts: (code: string) => boolean): readonly string[] {
  return journal.flatMap((entry) =>
    entry.type === "paused" && entry.by === "fault" && counts(entry.code) ? [entry.message] : [],
  );
}

function runFailures(journal: readonly Entry[]): number {
  return journal.filter(({ type }) => type === "run-failed" || type === "paused").length;
}

function unkept({ journals }: Record, { root, what, key, answered }: Talk): readonly string[] {
  const { status, document } = answered;
  const journal = journals.get(`root/${root}`) ?? [];
  const says = `${what} of ${root} was answered ${status} ${document.code ?? ""}`;
  const has = (holds: (entry: Entry) => boolean) => (journal.some(holds) ? [] : [`${says}, and nothing is journaled`]);
  switch (what) {
    case "start":
      if (status !== 200 && status !== 201) return [says];
      return has(({ type }) => type === "started");
    case "signal a":
    case "signal b":
      return status === 202 ? has((entry) => entry.type === "signal-received" && entry.key === key) : [];
    case "cancel":
      return status === 202
        ? has(({ type }) => type === "cancel-requested" || type === "ending" || type === "cancelled")
        : [];
    case "pause":
      return status === 202 ? has(({ type }) => type === "paused") : [];
    case "resume":
      return [];
    case "answer":
      return status === 200 || status === 202
        ? [...journals.values()].some((own) => own.some((e) => e.type === "callback-answered" && e.key === key))
          ? []
          : [`${says}, and nothing is journaled`]
        : [];
    case "result":
      if (status !== 200) return [];
      return has(({ type }) => type === document["kind"]);
    case "view":
      return [];
  }
}

function doneTwice(journal: readonly Entry[]): readonly string[] {
  const keys = journal.flatMap((entry) =>
    (entry.type === "signal-received" || entry.type === "callback-answered") && entry.key !== undefined
      ? [`${entry.type} ${entry.key}`]
      : [],
  );
  const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
  const starts = journal.filter(({ type }) => type === "started").length;
  return starts === 1 ? repeated : [...repeated, `${starts} starts`];
}

function silentWaits({ root, what, answered: { document } }: Talk): readonly string[] {
  if (what === "start" || what === "result" || document.state !== "waiting") return [];
  const { waitingFor = [] } = document;
  if (waitingFor.length === 0) return [`${root} waits for nothing`];
  return waitingFor.filter(({ because }) => because === "").map(() => `${root} does not say by which rule it waits`);
}

function unreadable(journal: readonly Entry[]): readonly string[] {
  const { state, fault = state.unreadable } = foldOf(journal);
  return fault === undefined ? [] : [fault];
}

function leftOpen(journal: readonly Entry[]): readonly string[] {
  const { end, pause, outbox } = stateOf(journal);
  if (end === undefined) return [pause === undefined ? "has not ended" : `is paused: ${JSON.stringify(pause)}`];
  return outbox.size === 0 ? [] : [`has ${outbox.size} messages to send`];
}

function familyFaults({ journals }: Record): readonly string[] {
  const faults: string[] = [];
  for (const [parent, journal] of journals) {
    for (const operation of stateOf(journal).operations) {
      if (operation.kind !== "child" || operation.start === "refused") continue;
      const child = journals.get(`${operation.workflow}/${operation.id}`);
      if (child === undefined) continue;
      const [started] = child;
      const by = started?.type === "started" ? started.parent?.id : undefined;
      if (by !== parent.split("/")[1]) faults.push(`${operation.id} was started by ${by}, not by ${parent}`);
    }
  }
  return faults;
}
