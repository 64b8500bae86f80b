import type { ExecutionPort } from "../../src/execution/wire.ts";
import { JOURNAL_FORMAT, type Entry } from "../../src/journal/entry.ts";
import { fold } from "../../src/journal/fold.ts";
import { isOver, nextWakeAt, nextWorkAt } from "../../src/journal/next-wake.ts";
import { contentOf, decideReport, reportOf, type Report } from "../../src/journal/report.ts";
import { emptyState, type State } from "../../src/journal/state.ts";
import { purgeRetryAt, reportAcknowledged, reportFailed } from "../../src/journal/unreported.ts";
import { LIMITS } from "../../src/limits.ts";
import { DEFAULT_RETRY_POLICY } from "../../src/steps/retry-policy.ts";
import type { World } from "./world.ts";

export interface Plan {
  readonly id: string;
  readonly workflow: string;
  readonly tenant: string;
  readonly startedAt: number;
  /** How long its one step takes, before the sleep and after it. */
  readonly workMs: number;
  /** Until when it sleeps, if it does. */
  readonly sleepsUntil: number | undefined;
  readonly shard: number;
}

/** What happened, with its time and one number more: a million journals as objects would not fit into memory. */
const MARKS = ["started", "worked", "slept", "woke", "ended", "acknowledged", "failed"] as const;
type Mark = (typeof MARKS)[number];

/** An object without anything to do is out of memory after so long. */
const EVICTED_MS = 10_000;

/**
 * One execution as the directory and the clock see it. What it tells, when it wakes and when it is purged is decided by
 * the engine's own functions over its journal; only the workflow's code is left out.
 */
export class SimulatedExecution {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #marks: number[] = [];
  #isGone = false;
  #isWorking = false;
  #underWay: { readonly isOwed: boolean } | undefined;
  #sentUpTo = 0;
  #acknowledgedUpTo = 0;
  #told: string | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #activeAt = 0;
  #armedAt: number | undefined;

  constructor(world: World, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
    world.timeline.at(plan.startedAt, () => this.#start());
  }

  /** As the sweep of the directory asks it. */
  async listed(): ReturnType<ExecutionPort["listed"]> {
    this.#world.tally.asked += 1;
    // To everybody else it is gone at its time.
    if (this.#isGone || isOver(this.#state(), this.#now)) return { kind: "absent" };
    return { kind: "listed", report: reportOf(this.#state()) };
  }

  #start(): void {
    this.#mark("started");
    this.#isWorking = true;
    this.#world.tally.started += 1;
    this.#tell(false);
    this.#world.after(this.#plan.workMs, () => this.#worked());
  }

  #worked(): void {
    this.#isWorking = false;
    this.#mark("worked");
    this.#mark(this.#plan.sleepsUntil === undefined ? "ended" : "slept");
    this.#tell(false);
    this.#rest(true);
  }

  #woke(): void {
    this.#mark("woke");
    this.#isWorking = true;
    this.#world.tally.woken += 1;
    this.#world.after(this.#plan.workMs, () => {
      this.#isWorking = false;
      this.#mark("worked");
      this.#mark("ended");
      this.#tell(false);
      this.#rest(false);
    });
  }

  /** A burst keeps its lease until the directory has answered. */
  #rest(isPending: boolean): void {
    if (this.#underWay?.isOwed === true) return;
    const state = this.#state();
    const acknowledged = { upTo: this.#acknowledgedUpTo, isFree: isPending };
    for (const entry of reportAcknowledged(state, acknowledged, this.#now)) {
      this.#mark("acknowledged", entry.upTo);
      this.#world.tally.entriesOfReports += 1;
    }
    this.#tell(true);
    this.#arm();
  }

  #arm(): void {
    const state = this.#state();
    const { unreported } = state;
    const isAcknowledged = unreported !== undefined && unreported.entry < this.#acknowledgedUpTo;
    const isOwing = this.#underWay?.isOwed === true;
    const at = isOwing || isAcknowledged ? nextWorkAt(state) : nextWakeAt(state);
    if (at === this.#armedAt) return;
    this.#armedAt = at;
    if (at === undefined) return;
    this.#world.tally.alarms += 1;
    this.#world.ring(at, () => {
      if (this.#armedAt === at) this.#ring();
    });
  }

  #ring(): void {
    this.#armedAt = undefined;
    if (this.#now - this.#activeAt > EVICTED_MS) this.#forget();
    const state = this.#state();
    const due = nextWorkAt(state);
    if (isOver(state, this.#now)) this.#purge();
    else if (state.end === undefined && due !== undefined && due <= this.#now) this.#woke();
    else this.#rest(false);
  }

  /** Another object takes over from here: it knows what the journal says. */
  #forget(): void {
    const state = this.#state();
    this.#sentUpTo = 0;
    this.#acknowledgedUpTo = 0;
    this.#toldAt = Number.NEGATIVE_INFINITY;
    this.#told = state.unreported === undefined ? contentOf(reportOf(state)) : undefined;
  }

  #tell(isAtRest: boolean): void {
    if (this.#underWay !== undefined || this.#isGone) return;
    const telling = {
      sentUpTo: this.#sentUpTo,
      acknowledgedUpTo: this.#acknowledgedUpTo,
      told: this.#told,
      toldAt: this.#toldAt,
      changedAt: undefined,
      isAtRest,
    };
    const decision = decideReport(this.#state(), telling, this.#now);
    if (decision.kind === "now") this.#send(decision.owed);
    if (decision.kind === "later" && isAtRest) this.#world.after(decision.at - this.#now, () => this.#tell(true));
  }

  #send(isOwed: boolean): void {
    const report = reportOf(this.#state());
    this.#sentUpTo = report.sequence;
    if (!isOwed) this.#toldAt = this.#now;
    const sent = { isOwed };
    this.#underWay = sent;
    this.#world.tell(this.#plan.shard, report, (isTold) => {
      this.#underWay = undefined;
      this.#take(report, isOwed, isTold);
    });
  }

  #take(report: Report, isOwed: boolean, isTold: boolean): void {
    if (isTold || !isOwed) this.#told = this.#world.shared(contentOf(report));
    if (isTold) {
      this.#acknowledgedUpTo = report.sequence;
      if (report.endedAt !== undefined) this.#world.tally.known += 1;
    } else if (isOwed) {
      this.#mark("failed");
      this.#world.tally.entriesOfReports += 1;
    }
    this.#activeAt = this.#now;
    // While its code works nothing rests; what comes after that rests by itself.
    if (this.#isWorking) this.#tell(false);
    else this.#rest(false);
  }

  #purge(): void {
    const { workflow, id, startedAt } = this.#plan;
    this.#world.remove(this.#plan.shard, { workflow, id, createdAt: startedAt }, (isTold) => {
      if (isTold) {
        this.#isGone = true;
        this.#marks.length = 0;
        this.#world.tally.purged += 1;
      } else {
        this.#world.after(purgeRetryAt(this.#state(), this.#now) - this.#now, () => this.#purge());
      }
    });
  }

  get #now(): number {
    return this.#world.timeline.now();
  }

  #mark(mark: Mark, more = 0): void {
    this.#activeAt = this.#now;
    this.#marks.push(MARKS.indexOf(mark), this.#now - this.#world.startAt, more);
  }

  /** Folded anew for each event, and only from the last mark on where the same event asks again. */
  #state(): State {
    const marks = this.#marks;
    const isSame = lastFold.of === this && lastFold.length <= marks.length;
    const state = isSame ? lastFold.state : emptyState(true);
    for (let i = isSame ? lastFold.length : 0; i < marks.length; i += 3) {
      const mark = MARKS[marks[i] ?? 0] ?? "started";
      const at = this.#world.startAt + (marks[i + 1] ?? 0);
      for (const entry of entriesOf(mark, { state, at, more: marks[i + 2] ?? 0, plan: this.#plan })) fold(state, entry);
    }
    lastFold = { of: this, length: marks.length, state };
    return state;
  }
}

interface Folded {
  readonly of: SimulatedExecution | undefined;
  /** Of its marks. */
  readonly length: number;
  readonly state: State;
}

/** A million states would not fit into memory: one is kept. */
let lastFold: Folded = { of: undefined, length: 0, state: emptyState(true) };

interface Marked {
  readonly state: State;
  readonly at: number;
  readonly more: number;
  readonly plan: Plan;
}

function entriesOf(mark: Mark, { state, at, more, plan }: Marked): readonly Entry[] {
  const op = state.operations.length;
  switch (mark) {
    case "started":
      return [startedEntry(plan, at)];
    case "worked": {
      const step = { type: "attempt-started", op, kind: "step", name: `step-${op}`, attempt: 1, at } as const;
      return [step, { type: "step-completed", op, value: [1], at }];
    }
    case "slept":
      return [{ type: "timer-set", op, kind: "sleep", name: "sleep", dueAt: plan.sleepsUntil ?? at, at }];
    case "woke":
      return [{ type: "timer-fired", op: op - 1, at }];
    case "ended":
      return [{ type: "completed", value: [1], at }];
    case "acknowledged":
      return [{ type: "reported", upTo: more, at }];
    case "failed":
      return reportFailed(state, new Error(`No answer came within ${LIMITS.reportMs} ms.`), at);
  }
}

function startedEntry({ workflow, id, tenant }: Plan, at: number): Entry {
  return {
    type: "started",
    format: JOURNAL_FORMAT,
    workflow,
    id,
    seed: id,
    input: [1],
    inputHash: "",
    policy: DEFAULT_RETRY_POLICY,
    timeoutMs: LIMITS.attemptTimeoutDefaultMs,
    retentionMs: LIMITS.retentionDefaultMs,
    attributes: { tenant },
    at,
  };
}
