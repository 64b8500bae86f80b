import { isEqualSecret } from "../execution/secret.ts";
import { hasTokens, type Tokens, tokensOf } from "./configuration.ts";
import { isCorsOrigin } from "./cors.ts";
import { Problem } from "./problem.ts";
import { roleBySession } from "./session.ts";
import type { Role, Site } from "./site.ts";
import { tokenInProtocols, wantsSocket } from "./socket-handshake.ts";

/** Exactly one scheme and one space (`Basic`, or `bearer` with two spaces, is somebody else's credential). */
const BEARER = /^Bearer ([\x21-\x7e]+)$/;

/** Methods that change nothing. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The role of a request that may pass; others throw. A `Response` is the answer of the deployment's own `auth`. Changes
 * need the full role, and from a browser the same origin: on loopback too, where there may be no token for another site
 * to lack. So does a WebSocket, which any site may open; what its role may send is looked at frame by frame.
 */
export async function authorize(site: Site, request: Request, env: Cloudflare.Env): Promise<Role | Response> {
  const found = site.auth === undefined ? callerOf(request, tokensOf(env)) : await site.auth(request, env);
  if (found instanceof Response) return found;
  const role = checkRole(found);
  const opensSocket = wantsSocket(request);
  if (READS.has(request.method) && !opensSocket) return role;
  // A cookie goes along with what a page of another origin sends: who may use the interface from there has a token.
  const isAllowed = !("isSession" in found) && isCorsOrigin(site, request.headers.get("origin"));
  if (!isAllowed) refuseOtherOrigins(request);
  if (role === "read" && !opensSocket) throw readsOnly();
  return role;
}

export function readsOnly(): Problem {
  return new Problem("FORBIDDEN", "Cannot change anything as the token may only read");
}

/** Throws where the page of another origin wants to change something. */
export function refuseOtherOrigins(request: Request): void {
  if (isSameOrigin(request)) return;
  throw new Problem("FORBIDDEN", "Cannot change anything as a browser must send changes from the same origin");
}

/** Whose token it is. Both are compared: how long it takes tells nothing about either. */
export function roleByToken(presented: string, { full, read }: Tokens): Role | undefined {
  const isFull = full !== undefined && isEqualSecret(presented, full);
  const isRead = read !== undefined && isEqualSecret(presented, read);
  if (isFull) return "full";
  return isRead ? "read" : undefined;
}

export function unauthorized(): Problem {
  return new Problem(
    "UNAUTHORIZED",
    "Cannot answer as the request must carry Authorization: Bearer and a valid token",
    {
      headers: { "www-authenticate": "Bearer" },
    },
  );
}

interface Caller {
  readonly role: Role;
  /** A browser that has signed in, and sends its cookie by itself. */
  readonly isSession?: true;
}

/** A request that carries a token is judged by that alone: a wrong one is not made good by a session. */
function callerOf(request: Request, tokens: Tokens): Caller {
  // Only loopback comes this far without a token: see `configurationFault`.
  if (!hasTokens(tokens)) return { role: "full" };
  const authorization = request.headers.get("authorization") ?? "";
  const presented = authorization === "" ? tokenInProtocols(request) : BEARER.exec(authorization)?.[1];
  const role = presented === undefined ? undefined : roleByToken(presented, tokens);
  if (role !== undefined) return { role };
  if (authorization === "" && presented === undefined) {
    const session = roleBySession(request, tokens, Date.now());
    if (session !== undefined) return { role: session, isSession: true };
  }
  throw unauthorized();
}

/** The deployment's own function may be JavaScript: what it gave is looked at before it opens anything. */
function checkRole(found: { readonly role: Role } | undefined | null): Role {
  const role = found?.role;
  if (role === "full" || role === "read") return role;
  throw new TypeError('Cannot use the result of auth as it must be a Response or { role: "full" or "read" }');
}

/** True for whatever is no browser: those two headers are the browser's, and no script can set them. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(request.url).origin;
}
