import type { FetchResult } from "./workflow-context.ts";

/** The answer as the workflow's code sees it, from what was journaled of it. Nothing in it needs `this`. */
export function readFetchResult(step: string, value: unknown): FetchResult {
  const { status, headers, body } = checkAnswer(step, value);
  // As `Response.text` does it: UTF-8, without a byte order mark.
  const read = () => new TextDecoder().decode(body);
  return Object.freeze({
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(headers),
    text: async () => read(),
    json: async <T>() => JSON.parse(read()) as T,
    bytes: async () => body.slice(),
  });
}

interface ReadAnswer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array;
}

/** The step may have been journaled by other code, which called `step.run` under the same name. */
function checkAnswer(step: string, value: unknown): ReadAnswer {
  if (isAnswer(value)) return value;
  throw new TypeError(
    `Cannot read the journaled value of step ${step} as the answer of step.fetch, ` +
      "as the step was another one when it ran: deploy code that asks alike.",
  );
}

function isAnswer(value: unknown): value is ReadAnswer {
  if (typeof value !== "object" || value === null) return false;
  return (
    "status" in value &&
    typeof value.status === "number" &&
    "headers" in value &&
    Array.isArray(value.headers) &&
    "body" in value &&
    value.body instanceof Uint8Array
  );
}
