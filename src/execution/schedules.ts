import { checkTimeZone, readCron } from "../schedules/cron-times.ts";
import type { CatchUp, Overlap, Schedule } from "../schedules/schedule.ts";
import { decodeValue, encodeValue, ValueFault } from "../journal/value.ts";
import { LIMITS } from "../limits.ts";
import { WORKFLOW_NAME } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";
import { formatIssues } from "./issue.ts";
import { inputIssues } from "./accept.ts";
import { definitionOf, specificationOf, type AnyWorkflow, type Workflow, type WorkflowDefinition } from "./workflow.ts";

/** One schedule, as it stands in the options of an app. */
export interface ScheduleOptions {
  /** Kebab-case, 1 to 64 characters; unique. A part of the ids of the executions that it starts. */
  readonly name: string;
  /** Five fields, or six with seconds first: lists, ranges, steps, names, `L`, `W`, `#`; or `@daily` and the like. */
  readonly cron: string;
  /** @default "UTC" */
  readonly timeZone?: string | undefined;
  /** One of the app's workflows, its spec or its name. */
  readonly workflow: AnyWorkflow | string;
  readonly input?: unknown;
  /** At a time when the execution that it started last has not ended. @default "skip" */
  readonly overlap?: Overlap | undefined;
  /** Which times are made up for that nothing could be started at. @default "none" */
  readonly catchUp?: CatchUp | undefined;
}

const KEYS = [
  "name",
  "cron",
  "timeZone",
  "workflow",
  "input",
  "overlap",
  "catchUp",
] as const satisfies readonly (keyof ScheduleOptions)[];
const OVERLAPS = ["skip", "allow", "cancel-previous"] as const satisfies readonly Overlap[];
const CATCH_UPS = ["none", "last", "all"] as const satisfies readonly CatchUp[];

export interface ScheduleTerms {
  readonly workflows: readonly Workflow[];
  readonly maximumValueBytes: number;
}

/**
 * Checks and copies the schedules of a deployment.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function checkSchedules(value: unknown, terms: ScheduleTerms): readonly Schedule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError(faultOf("schedules", "it must be an array of schedules", value));
  if (value.length > LIMITS.schedules) {
    throw new RangeError(faultOf("schedules", `there must be at most ${LIMITS.schedules}`, value.length));
  }
  const schedules = new Map<string, Schedule>();
  for (const [index, given] of Array.from<unknown>(value).entries()) {
    const schedule = checkSchedule(given, `schedules[${index}]`, terms);
    if (schedules.has(schedule.name)) {
      throw new TypeError(faultOf(`schedules[${index}].name`, "each name must be there once", schedule.name));
    }
    schedules.set(schedule.name, schedule);
  }
  return Object.freeze([...schedules.values()]);
}

function checkSchedule(value: unknown, field: string, terms: ScheduleTerms): Schedule {
  const given = readFields(value, field, KEYS);
  const timeZone = checkTimeZone(given.timeZone ?? "UTC", `${field}.timeZone`);
  const times = readCron(given.cron, timeZone, `${field}.cron`);
  const definition = checkWorkflow(given.workflow, `${field}.workflow`, terms);
  return Object.freeze({
    name: checkName(given.name, `${field}.name`),
    // The cast: only a text is read as an expression.
    cron: (given.cron as string).trim(),
    timeZone,
    workflow: definition.name,
    input: checkInput(given.input, { field: `${field}.input`, definition }, terms),
    overlap: checkChoice(given.overlap ?? "skip", OVERLAPS, `${field}.overlap`),
    catchUp: checkChoice(given.catchUp ?? "none", CATCH_UPS, `${field}.catchUp`),
    times,
  });
}

function checkName(name: unknown, field: string): string {
  const message = faultOf(field, `it must be kebab-case, 1 to ${LIMITS.scheduleNameLength} characters`, name);
  if (typeof name !== "string") throw new TypeError(message);
  if (name.length > LIMITS.scheduleNameLength || !WORKFLOW_NAME.test(name)) throw new RangeError(message);
  return name;
}

/** The workflow as new executions get it: of several versions the one registered last. */
function checkWorkflow(given: unknown, field: string, { workflows }: ScheduleTerms): WorkflowDefinition {
  const name = typeof given === "string" ? given : (definitionOf(given) ?? specificationOf(given))?.name;
  if (name === undefined) throw new TypeError(faultOf(field, "it must be a workflow, its spec or its name", given));
  const definition = definitionOf(workflows.findLast((workflow) => workflow.name === name));
  if (definition === undefined) throw new RangeError(faultOf(field, "it must be one of the workflows", name));
  return definition;
}

/** What a schema can tell at once is told at once; what it can not is refused when the execution is to be started. */
function checkInput(
  input: unknown,
  { field, definition }: { readonly field: string; readonly definition: WorkflowDefinition },
  { maximumValueBytes }: ScheduleTerms,
): string {
  const text = encodeInput(input, field, maximumValueBytes);
  const issues = inputIssues(definition, decodeValue(text));
  if (issues.length === 0) return text;
  const rule = `the input of ${definition.name} must take it (${formatIssues(issues)})`;
  throw new TypeError(faultOf(field, rule, input));
}

function encodeInput(input: unknown, field: string, maximumValueBytes: number): string {
  try {
    return encodeValue(input, maximumValueBytes);
  } catch (cause) {
    if (!(cause instanceof ValueFault)) throw cause;
    throw new TypeError(faultOf(field, `it must be a value that can be journaled (${cause.message})`, input), {
      cause,
    });
  }
}

function checkChoice<Choice extends string>(value: unknown, choices: readonly Choice[], field: string): Choice {
  const known = choices.find((choice) => choice === value);
  if (known !== undefined) return known;
  const rule = `it must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}`;
  throw new TypeError(faultOf(field, rule, value));
}

function faultOf(field: string, rule: string, value: unknown): string {
  return `Cannot use ${field} as ${rule}: current value is ${showValue(value)}`;
}
