import type { DirectoryPlace } from "../durable-object/directory-stub.ts";
import type { Deployment } from "../execution/deployment.ts";

/** Who is asking: `read` may only look. */
export type Role = "full" | "read";

/** Decides who is asking; a `Response` is the answer instead. The request's body belongs to the route: clone to read. */
export type Authenticate = (
  request: Request,
  env: Cloudflare.Env,
) => { readonly role: Role } | Response | Promise<{ readonly role: Role } | Response>;

/** What the routes serve, and how. */
export interface Site {
  readonly deployment: Deployment;
  readonly auth?: Authenticate;
  /** Origins besides its own whose pages may use the interface. */
  readonly cors: readonly string[];
  readonly bindings: { readonly executions: string; readonly scheduler: string };
  /** Absent where it is switched off. */
  readonly directory?: DirectoryPlace;
}
