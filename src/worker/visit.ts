import type { Context } from "hono";
import { basePath } from "hono/route";
import { type Form, showValueIn } from "../execution/entry-document.ts";
import { acceptedForm, mediaTypeOf } from "./media-type.ts";
import { problemOf, problemResponse } from "./problem.ts";
import type { Description } from "./openapi/description.ts";
import type { Role, Site } from "./site.ts";
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
  /** Who is asking. */
  readonly role: Role;
  /** How the caller wants values. */
  readonly form: Form;
}

/** What a route gives. */
export type Answer =
  | {
      readonly kind: "document";
      readonly status: 200 | 201 | 202;
      readonly document: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "empty" }
  /** Made elsewhere: a stream, or a WebSocket. */
  | { readonly kind: "response"; readonly response: Response };

export type Route = (visit: Visit) => Promise<Answer>;

/** What answers requests of one method to one path. */
export interface Endpoint {
  readonly route: Route;
  /** What it is for, in the OpenAPI document. */
  readonly describe: () => Description;
  /** The form of answer that is acceptable to who asks; throws where none is. @default acceptedForm */
  readonly acceptedForm?: (request: Request) => Form;
}

/** What the gate found out about the requests that it let pass. */
const roles = new WeakMap<Request, Role>();

/** The request may pass, as somebody of this role. */
export function admit(request: Request, role: Role): void {
  roles.set(request, role);
}

/** Answers with what the route gives. An unacceptable form is refused first: nothing must happen without an answer. */
export async function serve(endpoint: Endpoint, site: Site, context: Context<WorkerBindings>): Promise<Response> {
  const { route, acceptedForm: formFor = acceptedForm } = endpoint;
  try {
    const form = formFor(context.req.raw);
    return render(await route(visitOf(site, context, form)), form);
  } catch (fault) {
    // Not left to the router: mounted, its error handler would be the outer app's, and it only gets to see `Error`s.
    return problemResponse(problemOf(fault));
  }
}

function visitOf(site: Site, context: Context<WorkerBindings>, form: Form): Visit {
  return {
    site,
    env: context.env,
    // A route that stands before the gate is for anybody.
    role: roles.get(context.req.raw) ?? "read",
    request: context.req.raw,
    prefix: prefixOf(site, context),
    parameter: (name) => context.req.param(name) ?? "",
    form,
    show: (flat) => showValueIn(form, flat),
  };
}

/** The configured path, else the one that the router is mounted at. */
export function prefixOf(site: Site, context: Context<WorkerBindings>): string {
  return site.deployment.basePath ?? encodeURI(mountedAt(context));
}

/** Empty at the root, and without the slash that whoever mounts the router may write at the end. */
function mountedAt(context: Context<WorkerBindings>): string {
  return basePath(context).replace(/\/$/, "");
}

function render(answer: Answer, form: Form): Response {
  if (answer.kind === "response") return answer.response;
  if (answer.kind === "empty") return new Response(null, { status: 204 });
  const headers = { ...answer.headers, "content-type": mediaTypeOf(form) };
  return new Response(JSON.stringify(answer.document ?? null), { status: answer.status, headers });
}
