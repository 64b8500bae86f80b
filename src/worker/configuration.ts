import { namespaceFault } from "../durable-object/namespace.ts";
import { CALLBACK_SECRETS, isLoopback } from "../execution/callback-keys.ts";
import { secretOf, bindingOf } from "../execution/secret.ts";
import { showValue } from "../steps/show-value.ts";
import type { Site } from "./site.ts";

/** What a header can carry after `Bearer `; a secret that was stored with its line break could never be sent. */
const TOKEN = /^[\x21-\x7e]+$/;

export interface Tokens {
  readonly full?: string;
  readonly read?: string;
}

/** The secrets that are set; an empty one is not. */
export function tokensOf(env: Cloudflare.Env | undefined): Tokens {
  const full = secretOf(env, "STEPWELL_TOKEN");
  const read = secretOf(env, "STEPWELL_READ_TOKEN");
  return { ...(full !== undefined && { full }), ...(read !== undefined && { read }) };
}

/** Where there are none, only loopback is served, to everybody. */
export function hasTokens({ full, read }: Tokens): boolean {
  return full !== undefined || read !== undefined;
}

/** Why this Worker cannot serve the request, `undefined` if it can. Without a token only loopback is served. */
export function configurationFault(site: Site, env: Cloudflare.Env | undefined, url: string): string | undefined {
  return (
    bindingFault(site, env) ??
    (site.auth === undefined ? tokenFault(env, url) : undefined) ??
    CALLBACK_SECRETS.map((name) => textFault(env, name)).find((fault) => fault !== undefined)
  );
}

/** Why the objects of the app cannot be reached. */
export function bindingFault(site: Site, env: Cloudflare.Env | undefined): string | undefined {
  const { deployment, bindings, directory } = site;
  const needed = [
    bindings.executions,
    ...(directory === undefined ? [] : [directory.binding]),
    ...(deployment.schedules.length > 0 ? [bindings.scheduler] : []),
  ];
  const fault = needed.map((binding) => namespaceFault(env, binding)).find((found) => found !== undefined);
  return fault === undefined ? undefined : `Cannot serve as ${fault}`;
}

function tokenFault(env: Cloudflare.Env | undefined, url: string): string | undefined {
  const tokens = tokensOf(env);
  const { full, read } = tokens;
  for (const [name, token] of [
    ["STEPWELL_TOKEN", full],
    ["STEPWELL_READ_TOKEN", read],
  ] as const) {
    const fault = textFault(env, name);
    if (fault !== undefined) return fault;
    if (token !== undefined && !TOKEN.test(token)) {
      return `Cannot serve as ${name} must be visible ASCII characters without spaces: current value has others`;
    }
  }
  if (full !== undefined && full === read) {
    return "Cannot serve as STEPWELL_READ_TOKEN must differ from STEPWELL_TOKEN: current values are equal";
  }
  if (hasTokens(tokens) || isLoopback(new URL(url).hostname)) return undefined;
  return "Cannot serve other hosts than loopback as the secret STEPWELL_TOKEN must be set: current value is absent";
}

function textFault(env: Cloudflare.Env | undefined, name: string): string | undefined {
  const value = bindingOf(env, name);
  if (value === undefined || typeof value === "string") return undefined;
  return `Cannot serve as ${name} must be a text: current value is ${kindOf(value)}`;
}

/** Never the value itself: it may be a secret under the wrong name. */
function kindOf(value: unknown): string {
  return typeof value === "string" ? "a text" : showValue(value);
}
