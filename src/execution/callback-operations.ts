import { deriveKey } from "../journal/draw.ts";
import type { CallbackOperation } from "../journal/callback-operations.ts";
import { parseDurationWithin } from "../steps/duration.ts";
import { OperationRefused } from "../steps/errors.ts";
import { readFields } from "../steps/read-fields.ts";
import { checkStepName } from "../steps/step-options.ts";
import type { CallbackUrls } from "./callback-urls.ts";
import { WAIT } from "./operations.ts";
import type { Request } from "./request.ts";
import { checkSchema } from "./workflow.ts";
import type { Callback } from "./workflow-context.ts";

/** What the callbacks of a run are made with. */
export interface CallbackTerms {
  readonly urls: CallbackUrls;
  /** What keys derive from: see `keyOwner`. */
  readonly owner: string;
  readonly callbackAt: (id: string) => CallbackOperation | undefined;
  readonly ask: (make: () => Request) => Promise<unknown>;
}

const KEYS = ["name", "schema", "timeout"] as const;

/**
 * A callback.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value; OperationRefused with code
 * `NOT_CONFIGURED` where no URL can be made
 */
export function callbackRequest(options: unknown, terms: CallbackTerms): Request {
  const given = options === undefined ? {} : readFields(options, "the options of createCallback", KEYS);
  const name = checkStepName(given.name ?? "callback");
  const schema = given.schema === undefined ? undefined : checkSchema(given.schema, "schema");
  const timeoutMs = given.timeout === undefined ? undefined : parseDurationWithin(given.timeout, "timeout", WAIT);
  const { urls, owner } = terms;
  if (urls.kind === "unknown") throw new OperationRefused("NOT_CONFIGURED", urls.reason);
  return {
    kind: "callback",
    name,
    ...(schema !== undefined && { schema }),
    entry: (asked, at) => ({
      type: "callback-created",
      ...asked,
      kind: "callback",
      callback: deriveKey(owner, `callback ${asked.op}`),
      ...(timeoutMs !== undefined && { dueAt: at + timeoutMs }),
      ...(schema !== undefined && { schema: true }),
      at,
    }),
    read: (id) => callbackOf(String(id), urls.urlOf, terms),
  };
}

/** What the code gets, live and on replay: the URL is of the present secret. */
function callbackOf(id: string, urlOf: (id: string) => string, terms: CallbackTerms): Callback<unknown> {
  return Object.freeze({
    id,
    url: urlOf(id),
    // The cast: that is what the operation settles with.
    result: () => terms.ask(() => resultRequest(terms.callbackAt(id))) as ReturnType<Callback<unknown>["result"]>,
  });
}

/** A wait for the answer. Each call is an operation, and all of them have the one answer. */
function resultRequest(created: CallbackOperation | undefined): Request {
  // The code has the callback from the journal.
  if (created === undefined) throw new Error("Cannot await a callback that its journal does not hold.");
  const { name, callback } = created;
  return {
    kind: "callback-result",
    name,
    entry: (asked, at) => ({ type: "callback-awaited", ...asked, kind: "callback-result", callback, at }),
    // Its name alone may stand for the first wait for one callback, or for the second one for another.
    meets: (recorded) => recorded.kind === "callback-result" && recorded.callback === callback,
  };
}
