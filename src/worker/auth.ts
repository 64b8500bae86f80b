import { isEqualSecret } from "../execution/secret.ts";
import { type Tokens, tokensOf } from "./configuration.ts";
import { Problem } from "./problem.ts";
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
  const found = site.auth === undefined ? roleByToken(request, tokensOf(env)) : await site.auth(request, env);
  if (found instanceof Response) return found;
  const role = typeof found === "string" ? found : checkRole(found);
  const opensSocket = wantsSocket(request);
  if (READS.has(request.method) && !opensSocket) return role;
  if (!isSameOrigin(request)) {
    throw new Problem("FORBIDDEN", "Cannot change anything as a browser must send changes from the same origin");
  }
  if (role === "read" && !opensSocket) throw readsOnly();
  return role;
}

export function readsOnly(): Problem {
  return new Problem("FORBIDDEN", "Cannot change anything as the token may only read");
}

function roleByToken(request: Request, tokens: Tokens): Role {
  // Only loopback comes this far without a token: see `configurationFault`.
  if (tokens.full === undefined && tokens.read === undefined) return "full";
  const presented = BEARER.exec(request.headers.get("authorization") ?? "")?.[1] ?? tokenInProtocols(request);
  if (presented !== undefined) {
    if (tokens.full !== undefined && isEqualSecret(presented, tokens.full)) return "full";
    if (tokens.read !== undefined && isEqualSecret(presented, tokens.read)) return "read";
  }
  throw new Problem("UNAUTHORIZED", "Cannot answer as the request must carry Authorization: Bearer and a valid token", {
    headers: { "www-authenticate": "Bearer" },
  });
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
