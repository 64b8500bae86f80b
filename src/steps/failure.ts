import { LIMITS } from "../limits.ts";
import { brandOf } from "./brand.ts";
import type { Refusal } from "./errors.ts";
import { readProperty } from "./read-property.ts";
import { showValue } from "./show-value.ts";

/** What operators see of something that was thrown: plain JSON, bounded, never the stack. */
export interface Failure {
  readonly name: string;
  /** At most 8 KiB of UTF-8. */
  readonly message: string;
  readonly code?: string;
  /** At most 8, the nearest first. */
  readonly causes?: readonly FailureCause[];
}

export interface FailureCause {
  readonly name: string;
  readonly message: string;
}

/** Names and codes are parts of log lines and lists. */
const NAME_BYTES = 128;

const REFUSAL_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Describes anything that was thrown. Never throws. */
export function describeFailure(thrown: unknown): Failure {
  const [, ...causes] = causeChain(thrown);
  const code = readProperty(thrown, "code");
  return {
    ...describe(thrown),
    ...(typeof code === "string" ? { code: cutToBytes(code, NAME_BYTES) } : {}),
    ...(causes.length === 0 ? {} : { causes: causes.map(describe) }),
  };
}

/** The refusal of a called service by its codes alone, from the error itself or from its causes. Never throws. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  for (const error of causeChain(thrown)) {
    const status = brandOf(error) === "HttpRefusal" ? readProperty(error, "status") : undefined;
    if (typeof status !== "number") continue;
    const code = refusalCode(readProperty(error, "code"));
    return { status, ...(code === undefined ? {} : { code }) };
  }
  return undefined;
}

/** A service's code, if callers may see it: what is no code could be anything that the service said. */
export function refusalCode(code: unknown): string | undefined {
  return typeof code === "string" && REFUSAL_CODE.test(code) ? code : undefined;
}

/** What was thrown, and up to 8 causes of it, each once. */
function causeChain(thrown: unknown): readonly unknown[] {
  const chain = [thrown];
  let cause = readProperty(thrown, "cause");
  while (cause !== undefined && cause !== null && chain.length <= LIMITS.causeDepth && !chain.includes(cause)) {
    chain.push(cause);
    cause = readProperty(cause, "cause");
  }
  return chain;
}

function describe(thrown: unknown): FailureCause {
  const name = readProperty(thrown, "name");
  const message = readProperty(thrown, "message");
  return {
    name: cutToBytes(typeof name === "string" ? name : typeName(thrown), NAME_BYTES),
    message: cutToBytes(typeof message === "string" ? message : showThrown(thrown), LIMITS.failureMessageBytes),
  };
}

function typeName(thrown: unknown): string {
  return thrown === null ? "null" : typeof thrown;
}

/** The message of something that has none. */
function showThrown(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown !== "object" || thrown === null) return showValue(thrown);
  try {
    // `undefined` where a `toJSON` says so.
    return JSON.stringify(thrown) ?? "An object without a message";
  } catch {
    return "An object that cannot be read";
  }
}

/** The beginning of a text, cut between code points. Half a surrogate pair, which UTF-8 cannot hold, is replaced. */
function cutToBytes(text: string, bytes: number): string {
  let length = 0;
  let used = 0;
  for (const character of text) {
    used += utf8Bytes(character);
    if (used > bytes) break;
    length += character.length;
  }
  return text.slice(0, length).toWellFormed();
}

function utf8Bytes(character: string): number {
  if (character.length === 2) return 4;
  if (character < "\u0080") return 1;
  return character < "\u0800" ? 2 : 3;
}
