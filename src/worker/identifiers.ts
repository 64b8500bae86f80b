import { v7 } from "uuid";
import { hashText } from "../journal/draw.ts";
import { LIMITS } from "../limits.ts";
import { showValue } from "../steps/show-value.ts";
import { Problem } from "./problem.ts";

/** No slash: an object's name is `workflow/id`. All of these stand in a URL as they are. */
const IDENTIFIER = /^[A-Za-z0-9._~-]+$/;

/** Characters of the hash in an id derived from a key: 192 bits. */
const DERIVED_ID_LENGTH = 32;

/** `what` names it in the message. URLs swallow `.` and `..` as path segments, so they can be no ids. */
export function checkIdentifier(what: "id" | "signal name", value: string): string {
  const maximum = what === "id" ? LIMITS.executionIdLength : LIMITS.signalNameLength;
  if (value.length <= maximum && IDENTIFIER.test(value) && value !== "." && value !== "..") return value;
  throw new Problem(
    "INVALID_ID",
    `Cannot use the ${what} as it must be 1 to ${maximum} characters of A-Z a-z 0-9 . _ ~ - and neither "." nor "..": ` +
      `current value is ${showValue(value)}`,
  );
}

/** The request's `Idempotency-Key`, `undefined` where none was sent. */
export function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key");
  return key === null ? undefined : checkIdempotencyKey(key);
}

export function checkIdempotencyKey(key: string): string {
  if (key.length >= 1 && key.length <= LIMITS.idempotencyKeyLength) return key;
  throw new Problem(
    "INVALID_ID",
    `Cannot use the Idempotency-Key as it must be 1 to ${LIMITS.idempotencyKeyLength} characters: current length is ${key.length}`,
  );
}

/** The id of a new execution: the one given, else one that the key determines, else a new UUIDv7. */
export function executionIdOf(workflow: string, id: string | undefined, key: string | undefined): string {
  if (id !== undefined) return checkIdentifier("id", id);
  if (key === undefined) return v7();
  return `k-${hashText(`${workflow}\0${key}`).slice(0, DERIVED_ID_LENGTH)}`;
}
