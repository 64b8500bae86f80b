import * as z from "zod/mini";
import { checkMoment } from "../execution/start-terms.ts";
import { type ListFilter, type ListRequest, readCursor } from "../journal/list.ts";
import { EXECUTION_STATES } from "../journal/execution-state.ts";
import { LIMITS } from "../limits.ts";
import { showValue } from "../steps/show-value.ts";
import { Problem } from "./problem.ts";
import { lazily } from "./lazily.ts";
import { checked, parseRequest, wholeNumber } from "./requests.ts";

const LIST_LIMIT = { default: 50, maximum: LIMITS.listPage };

/** The query of a list of executions, but for `attribute.NAME`, of which there may be several. */
export const LIST_QUERY = lazily(() =>
  z.object({
    workflow: z.optional(z.string().check(z.maxLength(LIMITS.workflowNameLength))),
    state: z.optional(z.enum(EXECUTION_STATES)),
    startedAfter: z.optional(moment()),
    startedBefore: z.optional(moment()),
    order: z._default(z.enum(["newest", "oldest"]), "newest"),
    idPrefix: z.optional(z.string().check(z.maxLength(LIMITS.executionIdLength))),
    limit: z._default(wholeNumber(1, LIST_LIMIT.maximum), LIST_LIMIT.default),
    cursor: z.optional(z.string()),
  }),
);

const ATTRIBUTE = "attribute.";
const ATTRIBUTES_QUERY = lazily(() => z.record(z.string(), z.string()));

/** What is looked for, and from where on. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListRequest {
  const { workflow, state, startedAfter, startedBefore, order, idPrefix, limit, cursor } = parseRequest(
    LIST_QUERY(),
    query,
  );
  const attributes = Object.entries(query).filter(([name]) => name.startsWith(ATTRIBUTE));
  const filter: ListFilter = {
    order,
    attributes: Object.fromEntries(
      Object.entries(parseRequest(ATTRIBUTES_QUERY(), Object.fromEntries(attributes))).map(([name, text]) => [
        name.slice(ATTRIBUTE.length),
        text,
      ]),
    ),
    ...(workflow !== undefined && { workflow }),
    ...(state !== undefined && { state }),
    ...(startedAfter !== undefined && { startedAfter: readMoment(startedAfter, "startedAfter") }),
    ...(startedBefore !== undefined && { startedBefore: readMoment(startedBefore, "startedBefore") }),
    ...(idPrefix !== undefined && idPrefix !== "" && { idPrefix }),
  };
  if (cursor === undefined) return { ...filter, limit };
  const after = readCursor(cursor, filter);
  if (after !== undefined) return { ...filter, limit, after };
  const rule = "it must be the `next` of an earlier page of the same list";
  throw new Problem("INVALID_CURSOR", `Cannot use cursor as ${rule}: current value is ${showValue(cursor)}`);
}

/** Unix milliseconds, or ISO 8601 with a zone. */
function moment() {
  return z.string().register(z.globalRegistry, { description: "Unix milliseconds, or ISO 8601 with a zone" });
}

function readMoment(text: string, field: string): number {
  return checked(field, () => checkMoment(/^[0-9]{1,16}$/.test(text) ? Number(text) : text, field));
}
