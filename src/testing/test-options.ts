import {
  createDeployment,
  type Deployment,
  DEPLOYMENT_KEYS,
  type DeploymentOptions,
  type EventListener,
  type SpanListener,
} from "../execution/deployment.ts";
import type { Fetch } from "../execution/ports.ts";
import type { ScheduleOptions } from "../execution/schedules.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import type { Duration } from "../steps/duration.ts";
import { parseDurationWithin } from "../steps/duration.ts";
import { readFields } from "../steps/read-fields.ts";
import type { RetryPolicy } from "../steps/retry-policy.ts";
import { showValue } from "../steps/show-value.ts";
import type { LogLine } from "./memory-platform.ts";

/** What a test engine is made of; everything but `workflows` has a default. Those of `stepwell` mean the same here. */
export interface TestEngineOptions {
  readonly workflows: readonly AnyWorkflow[];
  readonly retryPolicy?: RetryPolicy | undefined;
  readonly stepTimeout?: Duration | undefined;
  readonly maximumRetryAfter?: Duration | undefined;
  readonly maximumValueBytes?: number | undefined;
  readonly retention?: Duration | undefined;
  /** @default callbacks get URLs on `http://localhost` */
  readonly publicUrl?: string | undefined;
  readonly onEvent?: EventListener<Cloudflare.Env> | undefined;
  readonly onSpan?: SpanListener<Cloudflare.Env> | undefined;
  /** They start executions whenever `advance` moves the clock past their times; `runToEnd` does not wait for them. */
  readonly schedules?: readonly ScheduleOptions[] | undefined;
  /** Where the clock stands at first: Unix milliseconds or a moment. @default 0 */
  readonly now?: number | Date | undefined;
  /** The bindings and secrets that workflows are given. @default {} */
  readonly env?: Partial<Cloudflare.Env> | undefined;
  /** What `step.fetch` sends its requests with. @default the `fetch` that is global when it is called */
  readonly fetch?: typeof fetch | undefined;
  /** Backoffs are not waited out; each counts as if it had been, and as a millisecond at least. @default false */
  readonly skipBackoff?: boolean | undefined;
  /**
   * How long, in real time, the engine waits for the function of a step that does not end by itself, before it takes
   * it for one that only the clock can end: up to a minute. A step that hung before is waited for a tenth of that.
   * @default "500ms"
   */
  readonly patience?: Duration | undefined;
  /** Told every line that workflows, steps and the engine log. @default warnings and errors go to the console */
  readonly onLog?: ((line: LogLine) => void) | undefined;
}

/** The options of a test engine that were found right. */
export interface CheckedOptions {
  readonly deployment: Deployment;
  readonly now: number;
  readonly env: object;
  readonly fetch: Fetch;
  readonly patienceMs: number;
  readonly log: (line: LogLine) => void;
}

const TEST_KEYS = ["now", "env", "fetch", "skipBackoff", "patience", "onLog"] as const;
const PATIENCE = { minimumMs: 0, maximumMs: 60_000 };
const PATIENCE_DEFAULT_MS = 500;

/**
 * Checks what a test engine is made of; what it shares with a deployment, by that one's own code.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 */
export function checkTestOptions(options: TestEngineOptions): CheckedOptions {
  const given = readFields(options, "options", [...DEPLOYMENT_KEYS, ...TEST_KEYS]);
  const { now, env, fetch, skipBackoff, patience, onLog, ...rest } = given;
  const deployment = createDeployment(rest satisfies DeploymentOptions);
  return {
    deployment: checkFlag("skipBackoff", skipBackoff) ? { ...deployment, skipsBackoff: true } : deployment,
    now: checkNow(now),
    env: checkEnv(env),
    // Asked for at each call: a test may replace the global one after the engine was made.
    // The casts here and below: a function is all that can be told of it.
    fetch: (checkFunction("fetch", fetch) as Fetch | undefined) ?? ((url, init) => globalThis.fetch(url, init)),
    patienceMs: parseDurationWithin(patience ?? PATIENCE_DEFAULT_MS, "patience", PATIENCE),
    log: (checkFunction("onLog", onLog) as ((line: LogLine) => void) | undefined) ?? writeToConsole,
  };
}

function checkNow(now: unknown = 0): number {
  const at = now instanceof Date ? now.getTime() : now;
  if (typeof at === "number" && Number.isFinite(at)) return at;
  const rule = "it must be finite Unix milliseconds or a valid Date";
  const message = `Cannot use now as ${rule}: current value is ${showValue(typeof at === "number" ? at : now)}`;
  throw typeof at === "number" ? new RangeError(message) : new TypeError(message);
}

function checkEnv(env: unknown = {}): object {
  if (typeof env === "object" && env !== null) return env;
  throw new TypeError(`Cannot use env as it must be an object of bindings: current value is ${showValue(env)}`);
}

function checkFlag(field: string, value: unknown = false): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`Cannot use ${field} as it must be true or false: current value is ${showValue(value)}`);
}

/** Whatever the function does with its arguments cannot be looked at. */
export function checkFunction(field: string, value: unknown): unknown {
  if (value === undefined || typeof value === "function") return value;
  throw new TypeError(`Cannot use ${field} as it must be a function: current value is ${showValue(value)}`);
}

function writeToConsole({ level, message, fields }: LogLine): void {
  if (level === "warn" || level === "error") console[level](message, fields);
}
