import { keyFor, isSignature, signatureOf } from "../execution/signature.ts";
import { LIMITS } from "../limits.ts";
import type { Tokens } from "./configuration.ts";
import type { Role } from "./site.ts";

export const COOKIE = "stepwell_session";
const PURPOSE = "stepwell session";

/** Until when, in base 36, and the signature of that. */
const VALUE = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]+)$/;
const BASE = 36;

/** Cookies of this name that are looked at: more of them than paths of routes are nobody's. */
const COOKIES_READ = 8;

/** Where the cookie is sent to. */
export interface CookieScope {
  readonly request: Request;
  /** The path of the routes; empty at the root. */
  readonly prefix: string;
}

/** The end of a session that begins now. */
export function sessionEnd(now: number): number {
  return now + LIMITS.sessionMs;
}

/**
 * The cookie of a browser that has presented a token. Its value derives from the token and holds nothing of it; the
 * same secret tells it again, so that nothing is kept of sessions, and a new token ends them all.
 */
export function sessionCookie(token: string, endAt: number, scope: CookieScope): string {
  const end = endAt.toString(BASE);
  const value = `${end}.${signatureOf(end, keyFor(PURPOSE, token))}`;
  return cookie(value, Math.floor((endAt - Date.now()) / 1_000), scope);
}

/** What makes a browser forget its session. */
export function endedSessionCookie(scope: CookieScope): string {
  return cookie("", 0, scope);
}

/** Whose session the request carries, if it carries one that has not ended. */
export function roleBySession({ headers }: Request, { full, read }: Tokens, now: number): Role | undefined {
  for (const value of presentedSessions(headers)) {
    const [, end, signature] = VALUE.exec(value) ?? [];
    if (end === undefined || signature === undefined || Number.parseInt(end, BASE) <= now) continue;
    const isOf = (token: string | undefined) =>
      token !== undefined && isSignature(signature, end, keyFor(PURPOSE, token));
    if (isOf(full)) return "full";
    if (isOf(read)) return "read";
  }
  return undefined;
}

/** More than one where routes are mounted at a path of another's: each has a cookie of this name. */
function presentedSessions(headers: Headers): readonly string[] {
  return (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .slice(0, COOKIES_READ)
    .map((pair) => pair.slice(COOKIE.length + 1));
}

/** A semicolon in the path would begin an attribute. */
function cookie(value: string, maximumAge: number, { request, prefix }: CookieScope): string {
  const path = prefix === "" ? "/" : prefix.replaceAll(";", "%3B");
  const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
  return `${COOKIE}=${value}; Path=${path}; Max-Age=${maximumAge}; HttpOnly; SameSite=Strict${secure}`;
}
