import type { Context, Handler } from "hono";
import { basePath } from "hono/route";
import { toPlainJson } from "../journal/plain-json.ts";
import { decodeParsed } from "../journal/value.ts";
import { acceptedForm, type Form, mediaTypeOf } from "./media-type.ts";
import { problemOf, problemResponse } from "./problem.ts";
import type { Site } from "./site.ts";
import type { Presentation } from "./view-document.ts";

export interface WorkerBindings {
  readonly Bindings: Cloudflare.Env;
}

/** One request and what a route needs to answer it. */
export interface Visit extends Presentation {
  readonly site: Site;
  readonly env: Cloudflare.Env;
  readonly request: Request;
  /** A parameter of the path. */
  parameter(name: string): string;
}

/** What a route gives. */
export type Answer =
  | {
      readonly kind: "document";
      readonly status: 200 | 201 | 202;
      readonly document: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "empty" };

export type Route = (visit: Visit) => Promise<Answer>;

/** Answers with what the route gives. An unacceptable form is refused first: nothing must happen without an answer. */
export function serve(site: Site, route: Route): Handler<WorkerBindings> {
  return async (context) => {
    try {
      const form = acceptedForm(context.req.raw.headers.get("accept"));
      return render(await route(visitOf(site, context, form)), form);
    } catch (fault) {
      // Not left to the router: mounted, its error handler would be the outer app's, and it only gets to see `Error`s.
      return problemResponse(problemOf(fault));
    }
  };
}

function visitOf(site: Site, context: Context<WorkerBindings>, form: Form): Visit {
  return {
    site,
    env: context.env,
    request: context.req.raw,
    prefix: prefixOf(site, context),
    parameter: (name) => context.req.param(name) ?? "",
    show: form === "json" ? showPlain : (flat) => flat,
  };
}

/** The configured path, else the one that the router is mounted at. */
function prefixOf(site: Site, context: Context<WorkerBindings>): string {
  if (site.deployment.basePath !== undefined) return site.deployment.basePath;
  const mountedAt = basePath(context);
  return mountedAt === "/" ? "" : encodeURI(mountedAt);
}

/** A value that is `undefined` stays so, to be left out. */
function showPlain(flat: unknown): unknown {
  const value = decodeParsed(flat);
  return value === undefined ? undefined : toPlainJson(value);
}

function render(answer: Answer, form: Form): Response {
  if (answer.kind === "empty") return new Response(null, { status: 204 });
  const headers = { ...answer.headers, "content-type": mediaTypeOf(form) };
  return new Response(JSON.stringify(answer.document ?? null), { status: answer.status, headers });
}
