import { showValue } from "../steps/show-value.ts";
import { clientOver } from "./client.ts";
import { httpTransport } from "./http-transport.ts";
import type { Client } from "./types.ts";

/** What carries requests: a service binding, or whatever else has such a `fetch`. */
export interface Fetcher {
  fetch: typeof fetch;
}

/** Where the Worker is: by its URL, or through a service binding. */
export type ClientOptions =
  | {
      /** Of http or https; with the path that the router is mounted at, if there is one. */
      readonly url: string;
      readonly fetcher?: Fetcher | undefined;
      /** `STEPWELL_TOKEN` or `STEPWELL_READ_TOKEN` of the Worker. */
      readonly token?: string | undefined;
    }
  | {
      readonly fetcher: Fetcher;
      /** Only its path matters. @default "http://localhost" */
      readonly url?: string | undefined;
      readonly token?: string | undefined;
    };

/** What `Authorization` can carry after its scheme. */
const TOKEN = /^[!-~]+$/;

/**
 * A client of a Worker that serves Stepwell. It sends nothing before it is used.
 *
 * @throws {TypeError} for a URL or token that cannot be used
 * @example
 * ```ts
 * const client = createClient({ url: "https://flows.example.com", token });
 * const handle = await client.start(order, { sku: "lamp" });
 * const { tracking } = await handle.result({ timeout: "1m" });
 * ```
 */
export function createClient({ url, token, fetcher }: ClientOptions): Client {
  if (token !== undefined && !TOKEN.test(token)) {
    throw new TypeError("Cannot use token as it must be visible ASCII characters: current value has others");
  }
  // A service binding looks at no host. Loopback is served without a token: such a binding is the owner's own.
  const given = url ?? (fetcher && "http://localhost");
  return clientOver(httpTransport({ url: checkUrl(given), token, fetcher: fetcher ?? globalThis }));
}

function checkUrl(url: string | undefined): string {
  const parsed = URL.parse(url ?? "");
  if (parsed !== null && /^https?:/.test(parsed.href)) return parsed.origin + parsed.pathname.replace(/\/+$/, "");
  throw new TypeError(`Cannot use url as it must be a URL of http or https: current value is ${showValue(url)}`);
}
