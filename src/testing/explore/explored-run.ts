import type { AnyWorkflow, InputOf } from "../../execution/workflow.ts";
import { canonicalText } from "../../journal/value.ts";
import type { MemoryObject } from "../memory-object.ts";
import type { LogLine } from "../memory-platform.ts";
import { Engine } from "../test-engine.ts";
import type { AcceptedRequest, TestExecution } from "../test-execution.ts";
import type { TestEngineOptions } from "../test-options.ts";
import { type SeenUses, watchCode } from "./ambient-use.ts";
import { AttemptLog } from "./attempt-log.ts";
import type { CheckedExploreOptions } from "./explore-options.ts";
import { HeldOutcomes } from "./held-outcomes.ts";
import { brokenInvariants } from "./invariants.ts";
import { checkReplay } from "./replay-check.ts";
import { readSchedule, type Schedule } from "./schedule.ts";
import { ScheduledFaults } from "./scheduled-faults.ts";
import type { Violation } from "./violation.ts";

/** What one run showed. */
export interface Finding {
  readonly schedule: Schedule;
  readonly commits: number;
  readonly turns: number;
  /** Names of steps that had ended at once, where the schedule holds their outcomes. */
  readonly together: readonly (readonly string[])[];
  /** Names of all steps that were called. */
  readonly names: readonly string[];
  /** How the execution came out, as a text that tells whether two did alike. */
  readonly end: string;
  readonly violations: readonly Violation[];
  /** The entries of the journal, for who has to find out. */
  readonly journal: readonly string[];
  /** What the engine warned of. */
  readonly warnings: readonly string[];
}

const EXPLORED_ID = "explored";

/** One execution from its start to its end, with the faults of one schedule. */
export class ExploredRun<W extends AnyWorkflow, World extends object> {
  readonly #schedule: Schedule;
  readonly #options: CheckedExploreOptions<W, World>;
  readonly #faults: ScheduledFaults;
  readonly #held: HeldOutcomes;
  readonly #attempts: AttemptLog;
  readonly #uses: SeenUses = new Map();
  readonly #accepted = new Map<MemoryObject, AcceptedRequest[]>();
  readonly #violations: Violation[] = [];
  readonly #logged: LogLine[] = [];
  #keys = 0;

  constructor(options: CheckedExploreOptions<W, World>, schedule: Schedule) {
    const read = readSchedule(schedule);
    this.#options = options;
    this.#schedule = schedule;
    this.#faults = new ScheduledFaults(read);
    this.#held = new HeldOutcomes(read);
    this.#attempts = new AttemptLog(this.#held);
  }

  async run(workflow: W, input: InputOf<W>): Promise<Finding> {
    const world = await this.#options.world();
    const terms = { ...this.#options.engine, ...givenBy(world) };
    const engine = this.#engine(terms);
    const execution = await this.#start(engine, workflow, input);
    await this.#attempt("scenario", () => this.#options.scenario({ execution, engine, world }));
    await engine.runToEnd();
    this.#judgeCode();
    await this.#attempt("check", () => this.#options.check(execution, world));
    await this.#judge(engine, terms);
    return {
      schedule: this.#schedule,
      commits: this.#faults.commits,
      turns: this.#faults.turns,
      together: this.#held.together,
      names: [...this.#attempts.names],
      end: this.#endOf(execution),
      violations: this.#violations,
      journal: execution.journal.map((entry) => JSON.stringify(entry, showUnjsonable)),
      warnings: this.#logged.flatMap(({ level, message }) => (level === "warn" ? [message] : [])),
    };
  }

  #engine(terms: TestEngineOptions): Engine {
    const engine = new Engine(
      { ...terms, onLog: (line) => void this.#logged.push(line) },
      {
        endTurn: this.#faults.endTurn,
        watch: this.#attempts.watch,
        whenQuiet: () => this.#held.releaseOne(),
        call: (run) => watchCode(this.#uses, run),
        nextKey: () => `explored ${(this.#keys += 1)}`,
        accepted: (object, request) => this.#accept(object, request),
      },
    );
    engine.objects.faults.beforeCommit = this.#faults.beforeCommit;
    engine.objects.faults.afterWrites = this.#faults.afterWrites;
    return engine;
  }

  #accept(object: MemoryObject, request: AcceptedRequest): void {
    const accepted = this.#accepted.get(object) ?? [];
    this.#accepted.set(object, accepted);
    accepted.push(request);
  }

  async #start(engine: Engine, workflow: W, input: InputOf<W>): Promise<TestExecution<W>> {
    await engine.start<AnyWorkflow>(workflow, input, { id: EXPLORED_ID });
    return engine.get(workflow, EXPLORED_ID);
  }

  async #attempt(kind: "scenario" | "check", act: () => void | Promise<void>): Promise<void> {
    try {
      await act();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.#violations.push({ kind, message: `The ${kind} threw: ${message}`, cause });
    }
  }

  async #judge(engine: Engine, terms: TestEngineOptions): Promise<void> {
    for (const object of engine.objects.byName.values()) {
      const calls = this.#attempts.callsOf(object);
      const accepted = this.#accepted.get(object) ?? [];
      const deaths = this.#faults.deathsOf(object);
      this.#violations.push(...brokenInvariants({ object, calls, deaths, accepted }));
      this.#violations.push(...(await checkReplay(object, terms)));
    }
  }

  /** Before all else, as it may be the reason for all else. */
  #judgeCode(): void {
    if (!this.#options.ambient) return;
    for (const { what, where } of this.#uses.values()) {
      const message = `The workflow's code uses ${what} outside a step, which is another at every replay: ${where}`;
      this.#violations.push({ kind: "ambient", message });
    }
  }

  #endOf(execution: TestExecution<W>): string {
    const { state, failure } = execution;
    if (state === "paused") return canonicalText({ state, failure });
    return this.#options.picked === undefined
      ? "not compared"
      : canonicalText({ state, outcome: this.#options.picked(execution.outcome) });
  }
}

/** What a world has for the engine. */
function givenBy(world: object): Pick<TestEngineOptions, "env" | "fetch"> {
  const env: unknown = Reflect.get(world, "env");
  const send: unknown = Reflect.get(world, "fetch");
  // The casts: the engine checks its options.
  return {
    ...(env !== undefined && { env: env as NonNullable<TestEngineOptions["env"]> }),
    ...(send !== undefined && { fetch: send as typeof fetch }),
  };
}

function showUnjsonable(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}
