import type { Form } from "../execution/entry-document.ts";
import { decodeParsed } from "../journal/value.ts";
import { utf8Length } from "../journal/value-text.ts";
import { bodyForm } from "./media-type.ts";
import { Problem } from "./problem.ts";
import { fieldsOf } from "./requests.ts";

/** What a document may hold besides its one value: keys, an id, white space. */
const ENVELOPE_BYTES = 64 * 1_024;

/** How much longer a value of the largest size may be in its form: the codec's text writes bytes as base64. */
const GROWTH = { json: 1, values: 2 } as const;

/** What was sent as the body. `none`: no body and no `Content-Type`. `empty`: a `Content-Type` without a body. */
export type Sent =
  | { readonly kind: "none" }
  | { readonly kind: "empty" }
  | { readonly kind: "document"; readonly document: unknown; readonly form: Form };

/**
 * Reads a body of JSON, `application/vnd.stepwell+json` included: its values are left as they came, for
 * {@link sentValue}. Reading stops as soon as the body is too long.
 */
export async function readBody(request: Request, maximumValueBytes: number): Promise<Sent> {
  const typed = request.headers.has("content-type");
  // A wrong type is refused before anything is read; a missing one is no fault where there is no body.
  const form = typed ? bodyForm(request.headers) : "json";
  const bytes = await readBytes(request, maximumValueBytes * GROWTH[form] + ENVELOPE_BYTES);
  if (bytes.length === 0) return { kind: typed ? "empty" : "none" };
  return { kind: "document", document: parse(bytes), form: typed ? form : bodyForm(request.headers) };
}

/** Reads the fields of a form. One that came twice is an array, which no schema takes. */
export async function readForm(request: Request, maximumValueBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maximumValueBytes + ENVELOPE_BYTES);
  return fieldsOf(new URLSearchParams(new TextDecoder().decode(bytes)));
}

/** For routes that can do with no body at all, but not with one that says it is JSON and is none. */
export function refuseEmpty(sent: Sent): Exclude<Sent, { readonly kind: "empty" }> {
  if (sent.kind === "empty") throw unreadable("it is empty");
  return sent;
}

/** A value in a body: as it is in plain JSON, decoded where it is the value codec's flat JSON. */
export function sentValue(value: unknown, form: Form): unknown {
  if (form === "json") return value;
  try {
    return decodeParsed(value);
  } catch {
    // Whatever the codec says quotes the body, and adds nothing that the sender can use.
    throw unreadable("a value in it is none of the value codec's");
  }
}

/** The JSON of a frame, with the bounds of a body. */
export function parseFrame(frame: string | ArrayBuffer, maximumValueBytes: number, form: Form): unknown {
  if (typeof frame !== "string") throw unreadable("a frame must be text");
  const maximumBytes = maximumValueBytes * GROWTH[form] + ENVELOPE_BYTES;
  if (utf8Length(frame) > maximumBytes) throw tooLarge(maximumBytes);
  try {
    return JSON.parse(frame);
  } catch {
    throw unreadable("it is not JSON");
  }
}

async function readBytes(request: Request, maximumBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maximumBytes) throw tooLarge(maximumBytes);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The type: a request's body is bytes, which the platform's types leave open.
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > maximumBytes) {
      await reader.cancel();
      throw tooLarge(maximumBytes);
    }
    chunks.push(read.value);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function parse(bytes: Uint8Array): unknown {
  try {
    // A byte order mark is no JSON (RFC 8259 §8.1), hence `ignoreBOM`, which keeps it in the text.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // As in `sentValue`: the parser's message quotes the body.
    throw unreadable("it is not JSON in UTF-8");
  }
}

function unreadable(reason: string): Problem {
  return new Problem("INVALID_JSON", `Cannot read the body as ${reason}`);
}

function tooLarge(maximumBytes: number): Problem {
  return new Problem("VALUE_TOO_LARGE", `Cannot read the body as it must not be longer than ${maximumBytes} bytes`);
}
