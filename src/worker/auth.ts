import { isEqualSecret } from "../execution/secret.ts";
import { type Tokens, tokensOf } from "./configuration.ts";
import { Problem } from "./problem.ts";
import type { Role, Site } from "./site.ts";

/** Exactly one scheme and one space (`Basic`, or `bearer` with two spaces, is somebody else's credential). */
const BEARER = /^Bearer ([\x21-\x7e]+)$/;

/** Methods that change nothing. */
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Lets a request through or throws; a `Response` is the answer of the deployment's own `auth`. Changes need the full
 * role, and from a browser the same origin: on loopback too, where there may be no token for another site to lack.
 */
export async function authorize(site: Site, request: Request, env: Cloudflare.Env): Promise<Response | undefined> {
  const found = site.auth === undefined ? roleByToken(request, tokensOf(env)) : await site.auth(request, env);
  if (found instanceof Response) return found;
  const role = typeof found === "string" ? found : checkRole(found);
  if (READS.has(request.method)) return undefined;
  if (!isSameOrigin(request)) {
    throw new Problem("FORBIDDEN", "Cannot change anything as a browser must send changes from the same origin");
  }
  if (role === "read") throw new Problem("FORBIDDEN", "Cannot change anything as the token may only read");
  return undefined;
}

function roleByToken(request: Request, tokens: Tokens): Role {
  // Only loopback comes this far without a token: see `configurationFault`.
  if (tokens.full === undefined && tokens.read === undefined) return "full";
  const presented = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
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
