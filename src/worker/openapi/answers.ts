import * as z from "zod/mini";
import { BUDGET_FIELDS } from "../../journal/budget.ts";
import { EXECUTION_STATES } from "../../journal/execution-state.ts";
import { SCHEDULE, SCHEDULES, TRIGGERED } from "./schedule-answers.ts";

/*
 * The documents that the routes answer with. The routes make what is of these types, and only the OpenAPI document
 * needs the schemas: whoever serves requests imports no more than the types.
 */

const COUNT = z.int().check(z.nonnegative());
/** Unix milliseconds. */
const TIME = z.int();

const counts = <const Names extends readonly string[]>(names: Names) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, COUNT])) as Record<Names[number], typeof COUNT>);

const ATTRIBUTES = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const FAILED = z.strictObject({
  kind: z.literal("failed"),
  declared: z.boolean(),
  code: z.string(),
  message: z.string(),
  details: z.optional(z.unknown()),
});

/** How an execution ended. A value that is `undefined` is left out. */
const OUTCOME = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("completed"), value: z.optional(z.unknown()) }),
  FAILED,
  z.strictObject({ kind: z.literal("cancelled") }),
]);

const WAIT = z.strictObject({
  kind: z.enum(["retry", "sleep", "signal", "callback", "run", "start", "rollback", "execution", "delivery"]),
  name: z.optional(z.string()),
  until: z.optional(TIME),
  because: z.string(),
});

const VIEW = z.strictObject({
  id: z.string(),
  workflow: z.string(),
  version: z.optional(z.string()),
  state: z.enum(EXECUTION_STATES),
  startedAt: TIME,
  parent: z.optional(z.strictObject({ workflow: z.string(), id: z.string() })),
  forkedFrom: z.optional(z.strictObject({ id: z.string(), entry: COUNT, at: TIME })),
  deadlineAt: z.optional(TIME),
  attributes: ATTRIBUTES,
  endedAt: z.optional(TIME),
  progress: z.optional(z.unknown()),
  waitingFor: z.array(WAIT),
  nextWakeAt: z.optional(TIME),
  steps: counts(["running", "waiting", "completed", "exhausted", "failed", "cancelled", "abandoned"]),
  rollbacks: z.optional(counts(["pending", "running", "waiting", "rolledBack", "exhausted", "failed", "notRun"])),
  reason: z.optional(z.strictObject({ code: z.string(), message: z.string() })),
  outcome: z.optional(OUTCOME),
  unreadSignals: COUNT,
  cancelRequestedAt: z.optional(TIME),
  cancelReason: z.optional(z.string()),
  usage: counts([...BUDGET_FIELDS, "entries", "operations", "journalBytes"]),
  links: z.record(z.string(), z.string()),
});

/** An entry: its fields are those of its type, its values in the form that was asked for. */
const ENTRY = z.looseObject({ entry: COUNT, type: z.string(), at: TIME });

const JOURNAL_PAGE = z.strictObject({ entries: z.array(ENTRY), next: z.nullable(COUNT) });

const SUMMARY = z.strictObject({
  id: z.string(),
  workflow: z.string(),
  version: z.optional(z.string()),
  state: z.enum(EXECUTION_STATES),
  startedAt: TIME,
  endedAt: z.optional(TIME),
  code: z.optional(z.string()),
  attributes: ATTRIBUTES,
});

const EXECUTIONS = z.strictObject({ executions: z.array(SUMMARY), next: z.nullable(z.string()) });

const STATE_COUNTS = counts(EXECUTION_STATES);

const COUNTS = z.strictObject({ total: STATE_COUNTS, workflows: z.record(z.string(), STATE_COUNTS) });

const TAKEN = z.strictObject({ accepted: z.literal(true), duplicate: z.boolean() });

const HEALTH = z.strictObject({ status: z.literal("ok") });

const JSON_SCHEMA = z.record(z.string(), z.unknown());

const WORKFLOW = z.strictObject({
  name: z.string(),
  version: z.optional(z.string()),
  signals: z.array(z.string()),
  errors: z.array(z.string()),
  schemas: z.strictObject({
    input: z.optional(JSON_SCHEMA),
    output: z.optional(JSON_SCHEMA),
    signals: z.record(z.string(), JSON_SCHEMA),
    errors: z.record(z.string(), JSON_SCHEMA),
  }),
  links: z.record(z.string(), z.string()),
});

const WORKFLOWS = z.strictObject({ workflows: z.array(WORKFLOW) });

const PROBLEM = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  issues: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

/** A browser's session, whose value is in the cookie alone. */
const SESSION = z.strictObject({ role: z.enum(["full", "read"]), endsAt: TIME });

/** What is answered to a frame of a viewer. */
const FRAME_ANSWER = z.strictObject({ id: z.optional(z.string()), status: z.int(), body: z.unknown() });

export type OutcomeDocument = z.output<typeof OUTCOME>;
export type ViewDocument = z.output<typeof VIEW>;
export type CountsDocument = z.output<typeof COUNTS>;
export type WorkflowDocument = z.output<typeof WORKFLOW>;
export type FrameAnswerDocument = z.output<typeof FRAME_ANSWER>;

/** By the names that they have in the OpenAPI document. */
export const ANSWERS = {
  View: VIEW,
  Outcome: OUTCOME,
  Entry: ENTRY,
  JournalPage: JOURNAL_PAGE,
  Value: z.unknown(),
  Executions: EXECUTIONS,
  Counts: COUNTS,
  Taken: TAKEN,
  Workflows: WORKFLOWS,
  Health: HEALTH,
  Session: SESSION,
  Problem: PROBLEM,
  FrameAnswer: FRAME_ANSWER,
  Schedule: SCHEDULE,
  Schedules: SCHEDULES,
  Triggered: TRIGGERED,
  OpenApi: z.looseObject({ openapi: z.string() }),
} as const satisfies Readonly<Record<string, z.ZodMiniType>>;

export type AnswerName = keyof typeof ANSWERS;
