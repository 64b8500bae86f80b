import type { PlatformPath } from "./platform-paths.ts";

/** Why a replay would not see the same. */
export type Category = "clock" | "randomness" | "network" | "timer" | "environment";

export interface PlatformUse {
  readonly category: Category;
  /** The member of the context that does the same, deterministically. */
  readonly instead?: "now" | "random" | "uuid";
}

const CLOCK: PlatformUse = { category: "clock" };
const NOW: PlatformUse = { category: "clock", instead: "now" };
const RANDOMNESS: PlatformUse = { category: "randomness" };
const RANDOM: PlatformUse = { category: "randomness", instead: "random" };
const UUID: PlatformUse = { category: "randomness", instead: "uuid" };
const NETWORK: PlatformUse = { category: "network" };
const TIMER: PlatformUse = { category: "timer" };
const ENVIRONMENT: PlatformUse = { category: "environment" };

/** By path; what is below a path is meant too. `Date` by itself is in {@link dateUse}. */
const USES: ReadonlyMap<string, PlatformUse> = new Map<string, PlatformUse>([
  ["Date now", NOW],
  ["performance now", CLOCK],
  ["performance timeOrigin", CLOCK],
  ["Temporal Now", CLOCK],
  ["Math random", RANDOM],
  ["crypto randomUUID", UUID],
  ["crypto getRandomValues", RANDOMNESS],
  ["crypto subtle generateKey", RANDOMNESS],
  ["fetch", NETWORK],
  ["WebSocket", NETWORK],
  ["EventSource", NETWORK],
  ["XMLHttpRequest", NETWORK],
  ["caches", NETWORK],
  ["navigator sendBeacon", NETWORK],
  ["setTimeout", TIMER],
  ["setInterval", TIMER],
  ["setImmediate", TIMER],
  ["scheduler", TIMER],
  ["AbortSignal timeout", TIMER],
  ["process hrtime", CLOCK],
  ["process uptime", CLOCK],
  ["process env", ENVIRONMENT],
  ["process argv", ENVIRONMENT],
  ["process cwd", ENVIRONMENT],
  ["process memoryUsage", ENVIRONMENT],
  ["import.meta env", ENVIRONMENT],
  ["Deno env", ENVIRONMENT],
  ["Bun env", ENVIRONMENT],
]);

/** By module, without `node:`, and the export that is meant, where it is not all of them. */
const IMPORTS: ReadonlyMap<string, PlatformUse> = new Map<string, PlatformUse>([
  ["crypto randomUUID", UUID],
  ["crypto webcrypto randomUUID", UUID],
  ["crypto webcrypto getRandomValues", RANDOMNESS],
  ["crypto getRandomValues", RANDOMNESS],
  ["crypto randomBytes", RANDOMNESS],
  ["crypto randomFill", RANDOMNESS],
  ["crypto randomFillSync", RANDOMNESS],
  ["crypto randomInt", RANDOMNESS],
  ["crypto generateKeyPair", RANDOMNESS],
  ["crypto generateKeyPairSync", RANDOMNESS],
  ["perf_hooks performance", CLOCK],
  ["timers", TIMER],
  ["timers/promises", TIMER],
  ["process env", ENVIRONMENT],
  ["process argv", ENVIRONMENT],
  ["process cwd", ENVIRONMENT],
  ["process hrtime", CLOCK],
  ["process uptime", CLOCK],
  ["os", ENVIRONMENT],
  ["fs", ENVIRONMENT],
  ["fs/promises", ENVIRONMENT],
  ["child_process", ENVIRONMENT],
  ["worker_threads", ENVIRONMENT],
  ["http", NETWORK],
  ["https", NETWORK],
  ["http2", NETWORK],
  ["net", NETWORK],
  ["tls", NETWORK],
  ["dgram", NETWORK],
  ["dns", NETWORK],
  ["dns/promises", NETWORK],
  ["cloudflare:sockets connect", NETWORK],
  // Of the registry, what is known to do nothing else.
  ["axios", NETWORK],
  ["got", NETWORK],
  ["ky", NETWORK],
  ["node-fetch", NETWORK],
  ["ofetch", NETWORK],
  ["undici fetch", NETWORK],
  ["undici request", NETWORK],
  ["uuid v1", RANDOMNESS],
  ["uuid v4", UUID],
  ["uuid v6", RANDOMNESS],
  ["uuid v7", RANDOMNESS],
  ["nanoid", RANDOMNESS],
  ["ulid", RANDOMNESS],
  ["@paralleldrive/cuid2", RANDOMNESS],
]);

/**
 * What a path does that a replay would not see again; undefined for what is safe.
 *
 * @param isCalled of a module whose every export is meant only calls are: it has constants and classes of errors too
 */
export function platformUse([first, ...rest]: PlatformPath, isCalled: boolean): PlatformUse | undefined {
  if (first !== "import") return lookUp([first, ...rest], USES);
  const [module = "", name] = rest;
  if (!IMPORTS.has(module)) return lookUp(rest, IMPORTS);
  const isTest = name !== undefined && /^is[A-Z]/.test(name);
  return isCalled && !isTest ? IMPORTS.get(module) : undefined;
}

/** The longest beginning of a path that is listed. */
function lookUp(path: readonly string[], uses: ReadonlyMap<string, PlatformUse>): PlatformUse | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const use = uses.get(path.slice(0, length).join(" "));
    if (use !== undefined) return use;
  }
  return undefined;
}
