import type { ProblemCode } from "../problem.ts";
import type { ScheduleDocument } from "./schedule-answers.ts";
import type { AnswerName, ViewDocument, OutcomeDocument } from "./answers.ts";

const STARTED_AT = Date.UTC(2026, 11, 1, 9);
const ORDER = "/v1/workflows/order/executions/order-42";

const OUTCOME: OutcomeDocument = { kind: "completed", value: { payment: "payments-2", tracking: "parcels-3" } };

const VIEW: ViewDocument = {
  id: "order-42",
  workflow: "order",
  state: "waiting",
  startedAt: STARTED_AT,
  attributes: { customer: "c-7" },
  waitingFor: [
    {
      kind: "retry",
      name: "charge-card",
      until: STARTED_AT + 30_000,
      because: "Retry-After after attempt 1 of 5",
    },
  ],
  nextWakeAt: STARTED_AT + 30_000,
  steps: { running: 0, waiting: 1, completed: 1, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 },
  unreadSignals: 0,
  usage: { rowsWritten: 3, attempts: 2, bytes: 1_204, entries: 4, operations: 2, journalBytes: 1_204 },
  links: {
    self: ORDER,
    result: `${ORDER}/result`,
    journal: `${ORDER}/journal`,
    events: `${ORDER}/events`,
    cancel: `${ORDER}/cancel`,
    terminate: `${ORDER}/terminate`,
    pause: `${ORDER}/pause`,
    resume: `${ORDER}/resume`,
  },
};

const NIGHTLY = "/v1/workflows/report/executions/nightly.20261130T013000Z";

const SCHEDULE: ScheduleDocument = {
  name: "nightly",
  cron: "30 2 * * *",
  timeZone: "Europe/Berlin",
  workflow: "report",
  overlap: "skip",
  catchUp: "last",
  paused: false,
  nextAt: Date.UTC(2026, 11, 1, 1, 30),
  nextTimes: [1, 2, 3].map((day) => Date.UTC(2026, 11, day, 1, 30)),
  pending: [],
  lastStart: {
    id: "nightly.20261130T013000Z",
    workflow: "report",
    at: Date.UTC(2026, 10, 30, 1, 30),
    by: "time",
    startedAt: Date.UTC(2026, 10, 30, 1, 30) + 12,
    outcome: "completed",
    links: { execution: NIGHTLY },
  },
  links: {
    pause: "/v1/schedules/nightly/pause",
    resume: "/v1/schedules/nightly/resume",
    trigger: "/v1/schedules/nightly/trigger",
  },
};

const ENTRY = { entry: 2, type: "step-completed", op: 0, value: { parcel: "p-7" }, at: STARTED_AT };

export const ANSWER_EXAMPLES: Readonly<Record<AnswerName, unknown>> = {
  View: VIEW,
  Outcome: OUTCOME,
  Entry: ENTRY,
  JournalPage: { entries: [ENTRY], next: 3 },
  Value: { lines: ["lamp", "desk"] },
  Executions: {
    executions: [
      {
        id: "order-42",
        workflow: "order",
        state: "failed",
        startedAt: STARTED_AT,
        endedAt: STARTED_AT + 4_000,
        code: "OUT_OF_STOCK",
        attributes: { customer: "c-7" },
      },
    ],
    next: "1.Vk3xq0cX2b.1796115600000.order.order-42",
  },
  Counts: {
    total: { running: 1, waiting: 12, paused: 0, completed: 340, failed: 2, cancelled: 0 },
    workflows: { order: { running: 1, waiting: 12, paused: 0, completed: 340, failed: 2, cancelled: 0 } },
  },
  Taken: { accepted: true, duplicate: false },
  Workflows: {
    workflows: [
      {
        name: "order",
        signals: ["approval"],
        errors: ["OUT_OF_STOCK"],
        schemas: {
          input: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
          signals: {},
          errors: {},
        },
        links: { executions: "/v1/workflows/order/executions" },
      },
    ],
  },
  Health: { status: "ok" },
  Session: { role: "full", endsAt: STARTED_AT },
  Problem: undefined,
  OpenApi: { openapi: "3.1.1" },
  Schedule: SCHEDULE,
  Schedules: { schedules: [SCHEDULE] },
  Triggered: { workflow: "report", id: "nightly.20261130T013000Z", links: { execution: NIGHTLY } },
  FrameAnswer: { id: "1", status: 202, body: { accepted: true, duplicate: false } },
};

/** What a problem may say in its `detail`. */
export const PROBLEM_EXAMPLES: Readonly<Record<ProblemCode, string>> = {
  INVALID_PATH: "Cannot read the path as its percent encoding must be UTF-8",
  INVALID_JSON: "Cannot read the body as it is not JSON in UTF-8",
  UNAUTHORIZED: "Cannot answer as the request must carry Authorization: Bearer and a valid token",
  FORBIDDEN: "Cannot change anything as the token may only read",
  NOT_FOUND: "No execution with this id exists, or its retention is over",
  METHOD_NOT_ALLOWED: "The methods here are GET, HEAD, OPTIONS",
  NOT_ACCEPTABLE:
    "Cannot answer as Accept must allow application/json or application/vnd.stepwell+json: " +
    'current value is "text/csv"',
  ID_CONFLICT: "Cannot start order order-42 as that id has another input.",
  EXECUTION_ENDED: "Cannot take the signal as the execution has ended.",
  EXECUTION_NOT_ENDED: "Cannot delete the execution as it has not ended.",
  EXECUTION_UNREACHABLE:
    "Cannot delete the execution as others must know of its end first, and cannot be reached: current value is " +
    "order/order-41",
  CALLBACK_USED: "Cannot answer the callback as it must be answered once: current value is answered",
  CALLBACK_EXPIRED: "Cannot answer the callback as its time must not be up: current value is expired",
  CALLBACK_ENDED: "Cannot answer the callback as its execution has ended: current value is purged",
  SCHEDULE_OVERLAP:
    "Cannot trigger nightly as the execution that it started last must have ended, by its overlap: current value is " +
    "nightly.20261130T013000Z",
  FORK_INSIDE_CALLBACK: "Cannot fork the execution as the cut must not lie between a callback and its answer",
  VALUE_TOO_LARGE: "Cannot read the body as it must not be longer than 8454144 bytes",
  UNSUPPORTED_MEDIA_TYPE:
    "Cannot read the body as it must be application/json or application/vnd.stepwell+json in UTF-8, not compressed: " +
    'current Content-Type is "text/plain"',
  VALIDATION_ERROR: "Cannot accept the value as its schema finds 1 fault",
  INVALID_ID:
    'Cannot use the id as it must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ - and neither "." nor "..": ' +
    'current value is "a b"',
  INVALID_CURSOR:
    'Cannot use cursor as it must be the `next` of an earlier page of the same list: current value is "2"',
  UNSUPPORTED: 'Cannot take the signal as order must declare it: current value is "aproval"',
  SIGNAL_LIMIT: "Cannot take the signal as the execution must not have more than 10000 unread signals",
  JOURNAL_LIMIT: "Cannot answer the callback as the journal is full",
  VIEWER_LIMIT: "Cannot watch the execution as it must not have more than 256 viewers at a time: current value is 256",
  FRAME_LIMIT: "Cannot take the command as there must not be more than 100 in 10 s, nor 32 without an answer",
  INTERNAL_ERROR: "The request could not be completed; the reason is in the Worker's log.",
  NOT_CONFIGURED:
    "Cannot serve other hosts than loopback as the secret STEPWELL_TOKEN must be set: current value is absent",
  UNAVAILABLE: "The execution could not be reached; a repeated request may succeed",
};
