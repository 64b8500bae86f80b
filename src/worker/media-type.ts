import type { Form } from "../execution/entry-document.ts";
import { showValue } from "../steps/show-value.ts";
import { Problem } from "./problem.ts";

/**
 * JSON whose values are the value codec's flat JSON, so that dates, maps, bigints and bytes arrive as what they are: in
 * answers `progress`, `outcome.value`, `outcome.details`, `value` and `details` of a result and the values of entries; in
 * a start's body `input`; as a signal's body, and as the answer of a large value, the whole document.
 */
export const VALUE_TYPE = "application/vnd.stepwell+json";
export const JSON_TYPE = "application/json";
export const EVENT_TYPE = "text/event-stream";
export const FORM_TYPE = "application/x-www-form-urlencoded";
const HTML_TYPE = "text/html";

const MEDIA_TYPES = { json: JSON_TYPE, values: VALUE_TYPE } as const;

export function mediaTypeOf(form: Form): string {
  return MEDIA_TYPES[form];
}

/** The form of the values in a stream of events. The codec's is asked for by naming its type besides the stream's. */
export function acceptedEventForm(request: Request): Form {
  return acceptedRanges(request, EVENT_TYPE).some(isValueRange) ? "values" : "json";
}

/** For what has one type and no values in it. */
export function acceptedOnly(type: string): (request: Request) => Form {
  return (request) => {
    acceptedRanges(request, type);
    return "json";
  };
}

/** What `Accept` names, where an answer of this type is welcome. */
function acceptedRanges({ headers }: Request, type: string): readonly Range[] {
  const accept = headers.get("accept");
  if (accept === null || accept.trim() === "") return [];
  const ranges = accept.split(",").map(rangeOf);
  const wild = [`${type.split("/")[0]}/*`, "*/*"];
  const named = ranges.find((range) => range.type === type) ?? ranges.find((range) => wild.includes(range.type));
  if ((named?.quality ?? 0) > 0) return ranges;
  throw new Problem(
    "NOT_ACCEPTABLE",
    `Cannot answer as Accept must allow ${type}: current value is ${showValue(accept)}`,
  );
}

/** Whether the caller is a browser that wants a page: it names the type, which no program does by chance. */
export function wantsPage({ method, headers }: Request): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return (headers.get("accept") ?? "").split(",").some((text) => {
    const { type, quality } = rangeOf(text);
    return type === HTML_TYPE && quality > 0;
  });
}

/** Whether the body is a page's form. */
export function isFormBody(headers: Headers): boolean {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === FORM_TYPE;
}

function isValueRange({ type, quality }: Range): boolean {
  return type === VALUE_TYPE && quality > 0;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** The form of answer that the `Accept` header asks for; where both are as welcome, the one that it names first. */
export function acceptedForm({ headers }: Request): Form {
  const accept = headers.get("accept");
  if (accept === null || accept.trim() === "") return "json";
  const ranges = accept.split(",").map(rangeOf);
  const json = preferenceFor(JSON_TYPE, ranges);
  const values = preferenceFor(VALUE_TYPE, ranges);
  if (json.quality <= 0 && values.quality <= 0) {
    throw new Problem(
      "NOT_ACCEPTABLE",
      `Cannot answer as Accept must allow ${JSON_TYPE} or ${VALUE_TYPE}: current value is ${showValue(accept)}`,
    );
  }
  if (json.quality !== values.quality) return json.quality > values.quality ? "json" : "values";
  return values.position < json.position ? "values" : "json";
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const parsed = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, quality: parsed >= 0 && parsed <= 1 ? parsed : 0 };
}

/** The most specific range decides; only a range that names the type itself gives it a position. */
function preferenceFor(
  type: string,
  ranges: readonly Range[],
): { readonly quality: number; readonly position: number } {
  const exact = ranges.findIndex((range) => range.type === type);
  const named = ranges[exact];
  if (named !== undefined) return { quality: named.quality, position: exact };
  const wide = ranges.find((range) => range.type === "application/*") ?? ranges.find((range) => range.type === "*/*");
  return { quality: wide?.quality ?? 0, position: type === JSON_TYPE ? ranges.length : Number.POSITIVE_INFINITY };
}

/** The form of a body by its `Content-Type`; every other type is refused. */
export function bodyForm(headers: Headers): Form {
  const contentType = headers.get("content-type");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  const [type, ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  const plain = encoding === undefined || encoding === "" || encoding === "identity";
  if (utf8 && plain && type === JSON_TYPE) return "json";
  if (utf8 && plain && type === VALUE_TYPE) return "values";
  const shown = contentType === null ? "absent" : showValue(contentType);
  throw new Problem(
    "UNSUPPORTED_MEDIA_TYPE",
    `Cannot read the body as it must be ${JSON_TYPE} or ${VALUE_TYPE} in UTF-8, not compressed: ` +
      `current Content-Type is ${shown}`,
  );
}
