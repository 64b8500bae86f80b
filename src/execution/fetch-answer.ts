import { LIMITS } from "../limits.ts";
import { HttpRefusal, NonRetryableError, RetryableError } from "../steps/errors.ts";
import { refusalCode } from "../steps/failure.ts";
import { parseHttpDate } from "../steps/http-date.ts";
import { readProperty } from "../steps/read-property.ts";
import { readBody } from "./fetch-body.ts";
import type { Clock } from "./ports.ts";

/** What is journaled of an answer. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

export interface AnswerTerms {
  readonly clock: Clock;
  readonly maximumValueBytes: number;
}

const FIRST_REFUSAL = 400;
const FIRST_FAULT = 500;
/** Request timeout, too early, too many requests: another attempt may be served. */
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

const JSON_TYPE = /^\s*application\/(?:[^\s;/]+\+)?json\s*(?:;|$)/i;

/**
 * What an attempt makes of the answer: a value to journal, or an error that says whether another attempt is worth it.
 *
 * @throws HttpRefusal of a status from 400 on that no retry changes
 * @throws RetryableError of 408, 425, 429 and 500 and above, with the `Retry-After` that the service gave
 * @throws NonRetryableError `VALUE_TOO_LARGE`
 */
export async function readAnswer(response: Response, terms: AnswerTerms): Promise<FetchAnswer> {
  const { status } = response;
  if (status >= FIRST_REFUSAL) {
    const refusal = await readRefusal(response, terms);
    if (status < FIRST_FAULT && !RETRIED.has(status)) throw refusal;
    const retryAfter = readRetryAfter(response.headers, terms.clock.now());
    throw new RetryableError(refusal.message, { retryAfter, cause: refusal });
  }
  const { bytes: body, isWhole } = await readBody(response, { maximumBytes: terms.maximumValueBytes });
  if (!isWhole) throw tooLarge(terms.maximumValueBytes);
  return { status, headers: [...response.headers], body };
}

/** Its status is all that counts: what is missing of the body is left out. */
async function readRefusal(response: Response, { clock, maximumValueBytes }: AnswerTerms): Promise<HttpRefusal> {
  const { bytes, isWhole } = await readBody(response, {
    maximumBytes: Math.min(LIMITS.refusalBodyBytes, maximumValueBytes),
    within: { clock, ms: LIMITS.refusalBodyMs },
  });
  // Of a body that was cut in the middle of a character, the beginning of that is left out too.
  const text = new TextDecoder().decode(bytes, { stream: !isWhole });
  const body = JSON_TYPE.test(response.headers.get("Content-Type") ?? "") ? parseOrText(text) : text;
  return new HttpRefusal(response.status, body, refusalCode(readProperty(body, "code")));
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not what its type says is kept as it came.
    return text;
  }
}

/** Seconds or an HTTP date. Anything else prescribes nothing, also where `retryAfter` would read it as a duration. */
function readRetryAfter(headers: Headers, now: number): string | undefined {
  const text = headers.get("Retry-After")?.trim() ?? "";
  return /^\d+$/.test(text) || parseHttpDate(text, now) !== undefined ? text : undefined;
}

function tooLarge(maximumBytes: number): NonRetryableError {
  return new NonRetryableError(
    `Cannot journal the answer of step.fetch as a value may have at most ${maximumBytes} bytes: current value has more.`,
    { code: "VALUE_TOO_LARGE" },
  );
}
