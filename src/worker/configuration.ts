import { bindingOf, namespaceFault } from "../durable-object/execution-stub.ts";
import { showValue } from "../steps/show-value.ts";
import type { Site } from "./site.ts";

/** What a header can carry after `Bearer `; a secret that was stored with its line break could never be sent. */
const TOKEN = /^[\x21-\x7e]+$/;

/** `127.0.0.0/8`, as `URL` writes every form of its addresses. */
const LOOPBACK_ADDRESS = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

export interface Tokens {
  readonly full?: string;
  readonly read?: string;
}

/** The secrets that are set; an empty one is not. */
export function tokensOf(env: Cloudflare.Env | undefined): Tokens {
  const full = bindingOf(env, "STEPWELL_TOKEN");
  const read = bindingOf(env, "STEPWELL_READ_TOKEN");
  return {
    ...(typeof full === "string" && full !== "" ? { full } : {}),
    ...(typeof read === "string" && read !== "" ? { read } : {}),
  };
}

/** Why this Worker cannot serve the request, `undefined` if it can. Without a token only loopback is served. */
export function configurationFault(site: Site, env: Cloudflare.Env | undefined, url: string): string | undefined {
  return bindingFault(site, env) ?? (site.auth === undefined ? tokenFault(env, url) : undefined);
}

function bindingFault(site: Site, env: Cloudflare.Env | undefined): string | undefined {
  const fault = namespaceFault(env, site.bindings.executions);
  return fault === undefined ? undefined : `Cannot serve as ${fault}`;
}

function tokenFault(env: Cloudflare.Env | undefined, url: string): string | undefined {
  const { full, read } = tokensOf(env);
  for (const [name, token] of [
    ["STEPWELL_TOKEN", full],
    ["STEPWELL_READ_TOKEN", read],
  ] as const) {
    const value = bindingOf(env, name);
    if (value !== undefined && typeof value !== "string") {
      return `Cannot serve as ${name} must be a text: current value is ${kindOf(value)}`;
    }
    if (token !== undefined && !TOKEN.test(token)) {
      return `Cannot serve as ${name} must be visible ASCII characters without spaces: current value has others`;
    }
  }
  if (full !== undefined && full === read) {
    return "Cannot serve as STEPWELL_READ_TOKEN must differ from STEPWELL_TOKEN: current values are equal";
  }
  if (full !== undefined || read !== undefined || isLoopback(new URL(url).hostname)) return undefined;
  return "Cannot serve other hosts than loopback as the secret STEPWELL_TOKEN must be set: current value is absent";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || LOOPBACK_ADDRESS.test(hostname);
}

/** Never the value itself: it may be a secret under the wrong name. */
function kindOf(value: unknown): string {
  return typeof value === "string" ? "a text" : showValue(value);
}
