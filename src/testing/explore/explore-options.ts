import type { Outcome } from "../../execution/outcome-types.ts";
import type { AnyWorkflow } from "../../execution/workflow.ts";
import { readFields } from "../../steps/read-fields.ts";
import { showValue } from "../../steps/show-value.ts";
import type { TestEngine } from "../test-engine.ts";
import type { TestExecution } from "../test-execution.ts";
import { checkFunction, type TestEngineOptions } from "../test-options.ts";
import { readSchedule, type Schedule } from "./schedule.ts";

/** Where an exploration stands. */
export interface ExploreProgress {
  /** Runs that have ended. */
  readonly runs: number;
  /** Runs that there are to be, as far as is known. */
  readonly planned: number;
}

type EngineTerms = Omit<TestEngineOptions, "workflows" | "skipBackoff" | "onEvent" | "onLog">;

/** What an exploration is made of; everything has a default. The options of a test engine mean the same here. */
export interface ExploreOptions<W extends AnyWorkflow, World extends object> extends EngineTerms {
  /** Other workflows that the explored one needs. */
  readonly workflows?: readonly AnyWorkflow[] | undefined;
  /**
   * Makes the world that steps act on, anew for each run. What it has as `env` and `fetch` the engine is given.
   */
  readonly world?: (() => World | Promise<World>) | undefined;
  /**
   * What happens to the execution: signals, commands, time. It acts and does not judge, as after a fault the execution
   * may not have come as far. Whatever waits for time afterwards is run to its end.
   */
  readonly scenario?:
    | ((on: {
        readonly execution: TestExecution<W>;
        readonly engine: TestEngine;
        readonly world: World;
      }) => Promise<void>)
    | undefined;
  /** What must hold when a run has come to its end, whatever happened on the way: it throws where it does not. */
  readonly check?: ((execution: TestExecution<W>, world: World) => void | Promise<void>) | undefined;
  /** A death before and one after each commit. @default "every-commit" */
  readonly crashes?: "every-commit" | "none" | undefined;
  /** A loss of memory before each delivery, and before each start of attempts. @default "every-delivery" */
  readonly evictions?: "every-delivery" | "none" | undefined;
  /** Orders in which steps complete that end at once: at most so many, besides that in which they ended. @default 50 */
  readonly orders?: number | undefined;
  /** Schedules of several faults, drawn by the seed. @default 50 */
  readonly combinations?: number | undefined;
  /** At most so many runs in all; where there would be more, the seed draws which are left out. @default 500 */
  readonly maximumRuns?: number | undefined;
  readonly seed?: number | undefined;
  /**
   * What of the outcome must be the same with faults as without: all of it, nothing, or what the function makes of it.
   * An outcome that holds a time, or that depends on which of several steps completes first, may differ. @default "equal"
   */
  readonly outcome?: "equal" | "any" | ((outcome: Outcome<W> | undefined) => unknown) | undefined;
  /** Whether the workflow's code may use the platform's clock, chance, timers and network. @default "refuse" */
  readonly ambient?: "refuse" | "allow" | undefined;
  /** One run with these faults, instead of all: what a failed exploration gives. */
  readonly schedule?: Schedule | undefined;
  /** Told after each run. */
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined;
}

/** The options that were found right. */
export interface CheckedExploreOptions<W extends AnyWorkflow, World extends object> {
  readonly engine: Omit<TestEngineOptions, "env" | "fetch"> & Pick<TestEngineOptions, "env" | "fetch">;
  readonly world: () => World | Promise<World>;
  readonly scenario: NonNullable<ExploreOptions<W, World>["scenario"]>;
  readonly check: NonNullable<ExploreOptions<W, World>["check"]>;
  readonly crashes: boolean;
  readonly evictions: boolean;
  readonly orders: number;
  readonly combinations: number;
  readonly maximumRuns: number;
  readonly seed: number;
  /** What of the outcome must be the same; `undefined` where nothing of it must. */
  readonly picked: ((outcome: Outcome<W> | undefined) => unknown) | undefined;
  readonly ambient: boolean;
  readonly schedule: Schedule | undefined;
  readonly onProgress: (progress: ExploreProgress) => void;
}

const ENGINE_KEYS = [
  "retryPolicy",
  "stepTimeout",
  "maximumRetryAfter",
  "maximumValueBytes",
  "retention",
  "now",
  "env",
  "fetch",
  "patience",
] as const satisfies readonly (keyof EngineTerms)[];

const EXPLORE_KEYS = [
  "workflows",
  "world",
  "scenario",
  "check",
  "crashes",
  "evictions",
  "orders",
  "combinations",
  "maximumRuns",
  "seed",
  "outcome",
  "ambient",
  "schedule",
  "onProgress",
] as const satisfies readonly (keyof ExploreOptions<AnyWorkflow, object>)[];

const DEFAULT_RUNS = 500;
const DEFAULT_ORDERS = 50;
const DEFAULT_COMBINATIONS = 50;
const MOST_RUNS = 1_000_000;

/** @throws TypeError or RangeError that names the option, the rule and the value */
export function checkExploreOptions<W extends AnyWorkflow, World extends object>(
  workflow: W,
  options: ExploreOptions<W, World>,
): CheckedExploreOptions<W, World> {
  const given = readFields(options, "options", [...ENGINE_KEYS, ...EXPLORE_KEYS]);
  if (given.schedule !== undefined) readSchedule(given.schedule);
  for (const name of ["world", "scenario", "check", "onProgress"] as const) checkFunction(name, given[name]);
  const { outcome = "equal" } = options;
  if (typeof outcome !== "function") checkOneOf("outcome", outcome, ["equal", "any"]);
  const engine: Record<string, unknown> = {};
  for (const key of ENGINE_KEYS) if (given[key] !== undefined) engine[key] = given[key];
  return {
    engine: { ...engine, workflows: [workflow, ...(options.workflows ?? [])] },
    // The cast: without a world of their own, nobody is given one that they could look into.
    world: options.world ?? (() => ({}) as World),
    scenario: options.scenario ?? (async () => {}),
    check: options.check ?? (() => {}),
    crashes: checkOneOf("crashes", given.crashes ?? "every-commit", ["every-commit", "none"]) !== "none",
    evictions: checkOneOf("evictions", given.evictions ?? "every-delivery", ["every-delivery", "none"]) !== "none",
    orders: checkCount("orders", given.orders ?? DEFAULT_ORDERS),
    combinations: checkCount("combinations", given.combinations ?? DEFAULT_COMBINATIONS),
    maximumRuns: checkCount("maximumRuns", given.maximumRuns ?? DEFAULT_RUNS),
    seed: checkSeed(given.seed ?? 1),
    picked: pickedOf(outcome),
    ambient: checkOneOf("ambient", given.ambient ?? "refuse", ["refuse", "allow"]) === "refuse",
    schedule: options.schedule,
    onProgress: options.onProgress ?? (() => {}),
  };
}

function pickedOf<W extends AnyWorkflow>(
  outcome: NonNullable<ExploreOptions<W, object>["outcome"]>,
): CheckedExploreOptions<W, object>["picked"] {
  if (typeof outcome === "function") return outcome;
  return outcome === "equal" ? (value) => value : undefined;
}

function checkOneOf(field: string, value: unknown, allowed: readonly string[]): unknown {
  if (allowed.some((one) => one === value)) return value;
  const rule = `it must be one of ${allowed.map((one) => `"${one}"`).join(", ")}`;
  throw new TypeError(`Cannot use ${field} as ${rule}: current value is ${showValue(value)}`);
}

function checkCount(field: string, value: unknown): number {
  const rule = `it must be an integer from 0 to ${MOST_RUNS}`;
  const message = `Cannot use ${field} as ${rule}: current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  if (!Number.isInteger(value) || value < 0 || value > MOST_RUNS) throw new RangeError(message);
  return value;
}

function checkSeed(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(`Cannot use seed as it must be a finite number: current value is ${showValue(value)}`);
}
