import type { Entry, StepTerms } from "../journal/entry.ts";
import type { ExecutionSpan } from "../journal/span.ts";
import { LIMITS } from "../limits.ts";
import { parseDurationWithin } from "../steps/duration.ts";
import { readFields } from "../steps/read-fields.ts";
import {
  checkRetryPolicy,
  DEFAULT_RETRY_POLICY,
  type ResolvedRetryPolicy,
  resolveRetryPolicy,
} from "../steps/retry-policy.ts";
import { checkStepTimeout } from "../steps/step-options.ts";
import { showValue } from "../steps/show-value.ts";
import type { Schedule } from "../schedules/schedule.ts";
import { checkBasePath, checkPublicUrl } from "./public-url.ts";
import { checkSchedules } from "./schedules.ts";
import { checkRetention, definitionOf, specificationOf, type Workflow, type WorkflowDefinition } from "./workflow.ts";

/** Told every entry once it is durable, for logs and metrics; what it throws or rejects with is only logged. */
export type EventListener<Env = unknown> = (
  entry: Entry,
  execution: { readonly id: string; readonly workflow: string },
  env: Env,
) => void | Promise<void>;

/** Told every span of an execution when it is over; what it throws or rejects with is only logged. */
export type SpanListener<Env = unknown> = (span: ExecutionSpan, env: Env) => void | Promise<void>;

/** What one deployment of the engine holds: its workflows and the defaults that they are completed from. */
export interface Deployment {
  /** The registered workflows, in the order of registration. */
  readonly workflows: readonly Workflow[];
  readonly retryPolicy: ResolvedRetryPolicy;
  readonly stepTimeoutMs: number;
  readonly maximumRetryAfterMs: number;
  readonly maximumValueBytes: number;
  readonly retentionMs: number;
  /** Where the outside reaches the Worker, without a slash at its end. */
  readonly publicUrl?: string;
  /** The path under which the outside sees the routes, where the requests do not show it. */
  readonly basePath?: string;
  readonly onEvent?: EventListener;
  readonly onSpan?: SpanListener;
  /** In the order of the options. */
  readonly schedules: readonly Schedule[];
  /** Only of tests: backoffs are not waited out. */
  readonly skipsBackoff?: boolean;
}

/** The keys that {@link createDeployment} takes. */
export const DEPLOYMENT_KEYS = [
  "workflows",
  "retryPolicy",
  "stepTimeout",
  "maximumRetryAfter",
  "maximumValueBytes",
  "retention",
  "publicUrl",
  "basePath",
  "onEvent",
  "onSpan",
  "schedules",
] as const;

export type DeploymentOptions = Partial<Record<(typeof DEPLOYMENT_KEYS)[number], unknown>>;

const RETRY_AFTER = { minimumMs: 0, maximumMs: LIMITS.retryAfterCeilingMs };

/**
 * Checks, copies and freezes what a deployment is made of.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value.
 */
export function createDeployment(options: DeploymentOptions): Deployment {
  const given = readFields(options, "options", DEPLOYMENT_KEYS);
  const { stepTimeout, maximumRetryAfter, retention, publicUrl, basePath } = given;
  const retryPolicy = resolveRetryPolicy(checkRetryPolicy(given.retryPolicy), DEFAULT_RETRY_POLICY);
  // The casts: what the functions do with their arguments cannot be looked at.
  const onEvent = checkListener("onEvent", given.onEvent) as EventListener | undefined;
  const onSpan = checkListener("onSpan", given.onSpan) as SpanListener | undefined;
  const workflows = checkWorkflows(given.workflows, retryPolicy);
  const maximumValueBytes = checkValueBytes(given.maximumValueBytes);
  return Object.freeze({
    workflows,
    retryPolicy,
    stepTimeoutMs: checkStepTimeout(stepTimeout ?? LIMITS.attemptTimeoutDefaultMs, "stepTimeout"),
    maximumRetryAfterMs: parseDurationWithin(
      maximumRetryAfter ?? LIMITS.retryAfterMs,
      "maximumRetryAfter",
      RETRY_AFTER,
    ),
    maximumValueBytes,
    retentionMs: checkRetention(retention ?? LIMITS.retentionDefaultMs),
    ...(publicUrl !== undefined && { publicUrl: checkPublicUrl(publicUrl) }),
    ...(basePath !== undefined && { basePath: checkBasePath(basePath) }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(onSpan === undefined ? {} : { onSpan }),
    schedules: checkSchedules(given.schedules, { workflows, maximumValueBytes }),
  });
}

/**
 * The registered workflow of exactly this name and version, without one the workflow that has none: an execution stays
 * on the code that it started with, so the lack of a version is as good as a version.
 */
export function findWorkflow(deployment: Deployment, name: string, version?: string): Workflow | undefined {
  return deployment.workflows.find((workflow) => workflow.name === name && workflow.version === version);
}

/** The workflow that new executions of this name start on: the one registered last. */
export function latestWorkflow(deployment: Deployment, name: string): Workflow | undefined {
  return deployment.workflows.findLast((workflow) => workflow.name === name);
}

/** The terms of a workflow's steps, completed from the deployment's. */
export function termsOf(deployment: Deployment, definition: WorkflowDefinition): StepTerms {
  const { retryPolicy, stepTimeoutMs } = definition;
  return {
    policy:
      retryPolicy === undefined ? deployment.retryPolicy : resolveRetryPolicy(retryPolicy, deployment.retryPolicy),
    timeoutMs: stepTimeoutMs ?? deployment.stepTimeoutMs,
  };
}

function checkWorkflows(value: unknown, retryPolicy: ResolvedRetryPolicy): readonly Workflow[] {
  if (!Array.isArray(value) || value.length === 0) {
    const shown = Array.isArray(value) ? "an empty array" : showValue(value);
    throw new TypeError(
      `Cannot use workflows as it must be an array of at least 1 workflow: current value is ${shown}`,
    );
  }
  const workflows: Workflow[] = [];
  for (const [index, given] of Array.from<unknown>(value).entries()) {
    const definition = definitionOf(given);
    const spec = specificationOf(given);
    if (spec !== undefined) {
      const rule = "a workflow must have its code, which defineWorkflow(spec, run) gives it";
      throw new TypeError(`Cannot use workflows[${index}] as ${rule}: current value is the spec of ${spec.name}`);
    }
    if (definition === undefined) {
      const rule = "a workflow must be what defineWorkflow returned";
      throw new TypeError(`Cannot use workflows[${index}] as ${rule}: current value is ${showValue(given)}`);
    }
    // Fitting by itself, a policy may still not fit on top of the deployment's.
    resolveRetryPolicy(definition.retryPolicy, retryPolicy, `workflows[${index}].retryPolicy`);
    // The cast: only a workflow has a definition.
    const workflow = given as Workflow;
    checkUnique(workflow, workflows);
    workflows.push(workflow);
  }
  return Object.freeze(workflows);
}

function checkUnique(workflow: Workflow, earlier: readonly Workflow[]): void {
  if (!earlier.some(({ name, version }) => name === workflow.name && version === workflow.version)) return;
  const version = workflow.version === undefined ? "no version" : `the version ${showValue(workflow.version)}`;
  throw new TypeError(
    `Cannot use workflows as each name and version must be registered once: current value has ` +
      `${showValue(workflow.name)} with ${version} twice`,
  );
}

function checkValueBytes(value: unknown = LIMITS.valueBytes): number {
  const message =
    `Cannot use maximumValueBytes as it must be an integer from 1 to ${LIMITS.valueBytesCeiling}: ` +
    `current value is ${showValue(value)}`;
  if (typeof value !== "number") throw new TypeError(message);
  if (!Number.isInteger(value) || value < 1 || value > LIMITS.valueBytesCeiling) throw new RangeError(message);
  return value;
}

function checkListener(field: string, value: unknown): unknown {
  if (value === undefined || typeof value === "function") return value;
  throw new TypeError(`Cannot use ${field} as it must be a function: current value is ${showValue(value)}`);
}
