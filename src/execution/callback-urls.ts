import type { Started } from "../journal/entry.ts";
import { signingKey } from "./callback-keys.ts";
import { signCallback } from "./callback-token.ts";
import type { Deployment } from "./deployment.ts";

/** Makes the URLs of an execution's callbacks, or says why that cannot be done. */
export type CallbackUrls =
  | { readonly kind: "known"; readonly urlOf: (callback: string) => string }
  | { readonly kind: "unknown"; readonly reason: string };

/** The path of a callback, below that of the routes. */
export const CALLBACKS_PATH = "/v1/callbacks";

/**
 * URLs are made whenever one is delivered, of the present secret, and stand in no entry: who reads a journal must not be
 * able to answer a callback.
 */
export function callbackUrls(
  deployment: Pick<Deployment, "publicUrl" | "basePath">,
  env: unknown,
  { workflow, id, at: startedAt, origin }: Started,
): CallbackUrls {
  const base = baseOf(deployment, origin);
  if (base === undefined) {
    const rule = "the start request must have come by HTTP, or publicUrl be set";
    return { kind: "unknown", reason: `Cannot make the URL of a callback as ${rule}: current value is no origin` };
  }
  const key = signingKey(env, new URL(base).hostname);
  if (key === undefined) {
    const rule = "the secret STEPWELL_CALLBACK_KEY or STEPWELL_TOKEN must be set";
    return { kind: "unknown", reason: `Cannot sign the URL of a callback as ${rule}: current value is absent` };
  }
  const urlOf = (callback: string) =>
    `${base}${CALLBACKS_PATH}/${signCallback({ workflow, id, startedAt, callback }, key())}`;
  return { kind: "known", urlOf };
}

/** The start request's own address is needed unless the options say all of it. */
export function needsOrigin({ publicUrl, basePath }: Pick<Deployment, "publicUrl" | "basePath">): boolean {
  return publicUrl === undefined || (basePath === undefined && pathOf(publicUrl) === "");
}

/** Where the routes begin: `publicUrl` with its path; one without a path with that of the routes; else the origin. */
function baseOf(
  { publicUrl, basePath }: Pick<Deployment, "publicUrl" | "basePath">,
  origin: string | undefined,
): string | undefined {
  if (publicUrl === undefined) return origin;
  if (pathOf(publicUrl) !== "") return publicUrl;
  return publicUrl + (basePath ?? (origin === undefined ? "" : pathOf(origin)));
}

function pathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname === "/" ? "" : pathname;
}
