import * as z from "zod/mini";
import { checkDeadline, checkStartAt } from "../execution/start-terms.ts";
import type { StartRequest } from "../execution/wire.ts";
import { checkAttributes } from "../journal/attributes.ts";
import { BUDGET_FIELDS, checkBudget } from "../journal/budget.ts";
import { LIMITS } from "../limits.ts";
import { formatPath, type Issue, ISSUES_SHOWN } from "../execution/issue.ts";
import { lazily } from "./lazily.ts";
import { Problem } from "./problem.ts";

/** Longest reason of a command; reasons are journaled and shown in lists. */
const REASON_LENGTH = 1_024;

const JOURNAL_LIMIT = { default: 100, maximum: 1_000 };

const MUST_BE_OBJECT = "must be an object";
const MUST_NOT_BE = "must not be there";
const mustBeOne = (type: string) => `must be a ${type}, given once`;

/** The body of a start. */
export const START_BODY = lazily(() =>
  z.strictObject({
    input: z.optional(z.unknown()),
    id: z.optional(z.string()),
    startAt: z.optional(checkedElsewhere({ anyOf: [{ type: "integer" }, { type: "string", format: "date-time" }] })),
    deadline: z.optional(checkedElsewhere({ anyOf: [{ type: "string", examples: ["2h"] }, { type: "number" }] })),
    attributes: z.optional(
      checkedElsewhere({ type: "object", additionalProperties: { type: ["string", "number", "boolean"] } }),
    ),
    budget: z.optional(
      checkedElsewhere({
        type: "object",
        properties: Object.fromEntries(BUDGET_FIELDS.map((field) => [field, { type: "integer", minimum: 1 }])),
        additionalProperties: false,
      }),
    ),
  }),
);

type StartBody = z.output<ReturnType<typeof START_BODY>>;

const START_FIELDS: { readonly [Field in keyof Required<StartBody>]: true } = {
  input: true,
  id: true,
  startAt: true,
  deadline: true,
  attributes: true,
  budget: true,
};

/**
 * What `START_BODY` makes of it, with the same issues. By hand, as a cold isolate takes longer to make one schema than
 * for all else that the Worker does at a start.
 */
export function readStartBody(document: unknown): StartBody {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw refusal([{ path: "", message: MUST_BE_OBJECT }]);
  }
  const body: { readonly id?: unknown } = document;
  const unknown = Object.keys(body).find((key) => !Object.hasOwn(START_FIELDS, key));
  const issues = [
    ...(body.id === undefined || typeof body.id === "string" ? [] : [{ path: "id", message: mustBeOne("string") }]),
    ...(unknown === undefined ? [] : [{ path: formatPath([unknown]), message: MUST_NOT_BE }]),
  ];
  if (issues.length > 0) throw refusal(issues);
  // The cast: the id was looked at, and the rest may be anything.
  return body as StartBody;
}

/** Whatever it is, as the engine has the rules; this is what the OpenAPI document says of them. */
function checkedElsewhere(jsonSchema: Readonly<Record<string, unknown>>) {
  return z.unknown().register(z.globalRegistry, jsonSchema);
}

/** The rest of it, in the rules of the engine, whose errors name the field, the rule and the value. */
export function startTerms(body: StartBody, now: number): StartTerms {
  const { startAt, deadline, attributes, budget } = body;
  return {
    ...(startAt !== undefined && { startAt: checked("startAt", () => checkStartAt(startAt, now)) }),
    ...(deadline !== undefined && { deadlineMs: checked("deadline", () => checkDeadline(deadline)) }),
    ...(attributes !== undefined && { attributes: checked("attributes", () => checkAttributes(attributes)) }),
    ...(budget !== undefined && { budget: checked("budget", () => checkBudget(budget)) }),
  };
}

export type StartTerms = Pick<StartRequest, "startAt" | "deadlineMs" | "attributes" | "budget">;

/** What the rules of the engine say of a field, as a problem with that field. */
export function checked<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (fault) {
    if (!(fault instanceof TypeError || fault instanceof RangeError)) throw fault;
    throw new Problem("VALIDATION_ERROR", fault.message, { issues: [{ path, message: fault.message }] });
  }
}

/** The body of `cancel`, `terminate`, `pause` and `resume`. */
export const COMMAND_BODY = lazily(() =>
  z.strictObject({
    reason: z.optional(z.string().check(z.maxLength(REASON_LENGTH))),
  }),
);

/** The body of `fork`: before which step, by its name with its occurrence, or before the entry of which number. */
export const FORK_BODY = lazily(() =>
  z.strictObject({
    id: z.optional(z.string()),
    before: z.optional(z.union([z.string(), z.int()])),
  }),
);

/** A frame that a viewer sends: exactly one of the fields besides `id`. */
export const FRAME = lazily(() =>
  z.strictObject({
    id: z.optional(z.string().check(z.maxLength(LIMITS.frameIdLength))),
    ack: z.optional(z.number().check(z.int(), z.minimum(0))),
    signal: z.optional(
      z.strictObject({ name: z.string(), value: z.optional(z.unknown()), idempotencyKey: z.optional(z.string()) }),
    ),
    cancel: z.optional(COMMAND_BODY()),
    pause: z.optional(COMMAND_BODY()),
    resume: z.optional(COMMAND_BODY()),
  }),
);

const FRAME_ID = lazily(() => z.object({ id: FRAME().shape.id }));

export interface SignalFrame {
  readonly kind: "signal";
  readonly name: string;
  readonly value?: unknown;
  readonly idempotencyKey?: string | undefined;
}

export interface FrameCommand {
  readonly kind: "cancel" | "pause" | "resume";
  readonly reason?: string | undefined;
}

/** What a viewer says. `ack`: everything up to an entry was read. */
export type Frame = SignalFrame | FrameCommand | { readonly kind: "ack"; readonly entry: number };

/** The id of a frame that may have other faults. */
export function frameId(document: unknown): string | undefined {
  return typeof document === "object" && document !== null ? parseRequest(FRAME_ID(), document).id : undefined;
}

export function readFrame(document: unknown): Frame {
  const { id: _, ack, signal, ...commands } = parseRequest(FRAME(), document);
  const frames: Frame[] = [];
  if (ack !== undefined) frames.push({ kind: "ack", entry: ack });
  if (signal !== undefined) frames.push({ kind: "signal", ...signal });
  for (const kind of ["cancel", "pause", "resume"] as const) {
    const given = commands[kind];
    if (given !== undefined) frames.push({ kind, ...given });
  }
  const [frame] = frames;
  if (frame !== undefined && frames.length === 1) return frame;
  const rule = "it must have exactly one of ack, signal, cancel, pause and resume";
  throw new Problem("VALIDATION_ERROR", `Cannot read the frame as ${rule}: current value has ${frames.length}`);
}

/** The query of a stream of events, and the header that comes before it. */
export const EVENTS_QUERY = lazily(() => z.object({ from: z._default(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0) }));
export const LAST_EVENT_ID = lazily(() => wholeNumber(0, Number.MAX_SAFE_INTEGER - 1));

/** The query of a journal page; keys that it does not know belong to somebody else on the way. */
export const JOURNAL_QUERY = lazily(() =>
  z.object({
    from: z._default(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
    limit: z._default(wholeNumber(1, JOURNAL_LIMIT.maximum), JOURNAL_LIMIT.default),
  }),
);

/** Digits only: what JavaScript makes numbers of (`1e9`, ` 5 `, nothing at all) is more than a query should mean. */
export function wholeNumber(minimum: number, maximum: number) {
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^[0-9]{1,16}$/)), z.transform(Number)),
    z.number().check(z.minimum(minimum), z.maximum(maximum)),
  );
}

/** The number of an entry in a path. */
export const ENTRY_NUMBER = lazily(() => wholeNumber(0, Number.MAX_SAFE_INTEGER));

/** What the schema makes of what was sent as `name`; what it does not take is refused with its issues. */
export function parseRequest<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  name = "",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, ISSUES_SHOWN)
    .map(issueOf)
    .map(({ path, message }) => ({ path: path === "" ? name : path, message }));
  throw refusal(issues);
}

function refusal(issues: readonly Issue[]): Problem {
  const [first = { path: "", message: "is malformed" }] = issues;
  const subject = first.path === "" ? "what was sent" : first.path;
  return new Problem("VALIDATION_ERROR", `Cannot read the request as ${subject} ${first.message}`, { issues });
}

export function queryOf(url: string): Readonly<Record<string, string | readonly string[]>> {
  return fieldsOf(new URL(url).searchParams);
}

/** Parameters as an object; one that came twice is an array, which no schema takes. */
export function fieldsOf(parameters: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((key) => {
      const values = parameters.getAll(key);
      return [key, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function issueOf(issue: z.core.$ZodIssue): Issue {
  if (issue.code === "unrecognized_keys") {
    return { path: formatPath([...issue.path, ...issue.keys.slice(0, 1)]), message: MUST_NOT_BE };
  }
  return { path: formatPath(issue.path), message: ruleOf(issue) };
}

/** In our words: the small build of the validator has none. */
function ruleOf(issue: Exclude<z.core.$ZodIssue, z.core.$ZodIssueUnrecognizedKeys>): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "object" ? MUST_BE_OBJECT : mustBeOne(issue.expected);
    case "invalid_union":
      return "must be the name of a step or the number of an entry";
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
    default:
      return "must be a whole number";
  }
}
