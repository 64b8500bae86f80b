import type { TestProject } from "vitest/node";
import { HttpService, reply } from "./http-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A service outside of workerd, see `serve-http.ts`. */
    readonly serviceUrl: string;
  }
}

/**
 * A real service for tests inside workerd, where none can be opened: `/status/503?retry-after=5` answers so, `/to?url=`
 * redirects; of each path the first request under `/reset` is broken off, under `/stall` gets the beginning of a body.
 * Everything else is answered with what came, `/ledger?of=/path` with what came before, and `/body?of=/path` with the
 * last body that came.
 */
export default async function serveHttp(project: TestProject): Promise<() => Promise<void>> {
  const service = await HttpService.start();
  service.answerWith((response, { method, path, headers, body }, count) => {
    const url = new URL(path, service.url);
    const [, what, rest] = url.pathname.split("/");
    const after = url.searchParams.get("retry-after");
    if (what === "status") {
      const given = { "Content-Type": "application/json", ...(after !== null && { "Retry-After": after }) };
      return reply(Number(rest), given, '{"code":"FROM_SERVICE"}')(response);
    }
    if (what === "ledger")
      return reply(200, {}, JSON.stringify(ledgerOf(service, url.searchParams.get("of"))))(response);
    if (what === "body") return reply(200, {}, lastBodyOf(service, url.searchParams.get("of")))(response);
    if (what === "to") return reply(307, { Location: url.searchParams.get("url") ?? "/" })(response);
    if (what === "reset" && count === 1) return void response.socket?.resetAndDestroy();
    if (what === "stall" && count === 1) return void response.writeHead(200).write("part");
    const echo = { method, path, headers, body: body.toString(), count };
    return reply(
      200,
      { "Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"] },
      JSON.stringify(echo),
    )(response);
  });
  project.provide("serviceUrl", service.url);
  return () => service.close();
}

function lastBodyOf({ received }: HttpService, of: string | null): Buffer {
  return received.findLast(({ path }) => path === of)?.body ?? Buffer.alloc(0);
}

/** Requests of one path. */
export interface Ledger {
  readonly asked: number;
  readonly brokenOff: number;
}

function ledgerOf({ received, brokenOff }: HttpService, of: string | null): Ledger {
  return {
    asked: received.filter(({ path }) => path === of).length,
    brokenOff: brokenOff.filter((path) => path === of).length,
  };
}
