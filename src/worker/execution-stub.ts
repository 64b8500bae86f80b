import type { ExecutionPort } from "../execution/wire.ts";
import { bindingOf } from "../execution/secret.ts";
import { Problem } from "./problem.ts";
import type { Site } from "./site.ts";

/** A namespace of Execution objects, by the two methods of it that are used here. */
interface ExecutionNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): ExecutionStub;
}

/** An object as its callers reach it: `fetch` is for what no method can give, a WebSocket. */
export interface ExecutionStub extends ExecutionPort {
  fetch(request: Request): Promise<Response>;
}

/** A call of an execution, by whichever way. */
export type Call = <Answer>(call: (port: ExecutionPort) => Promise<Answer>) => Promise<Answer>;

/** Which object, and how to reach it. */
export interface Address {
  readonly site: Site;
  readonly env: Cloudflare.Env;
  readonly workflow: string;
  readonly id: string;
}

/** Calls the object once: a change may have happened although its answer was lost. */
export async function tell<Answer>(address: Address, call: (stub: ExecutionStub) => Promise<Answer>): Promise<Answer> {
  try {
    return await call(stubOf(address));
  } catch (fault) {
    throw unavailable(fault);
  }
}

/** Calls the object for something that changes nothing, so that a call that failed can be made again. */
export async function ask<Answer>(address: Address, call: (stub: ExecutionStub) => Promise<Answer>): Promise<Answer> {
  try {
    return await call(stubOf(address));
  } catch (fault) {
    if (isOverloaded(fault)) throw unavailable(fault);
    return tell(address, call);
  }
}

/** A stub that threw is broken for good, so every call makes its own. */
function stubOf({ site, env, workflow, id }: Address): ExecutionStub {
  // The router has checked that the binding is a namespace; that it is the one of this app's class nothing can tell.
  const namespace = bindingOf(env, site.bindings.executions) as ExecutionNamespace;
  return namespace.get(namespace.idFromName(`${workflow}/${id}`));
}

/** More calls are the last thing that an overloaded object needs. The platform marks its errors so. */
function isOverloaded(fault: unknown): boolean {
  return typeof fault === "object" && fault !== null && "overloaded" in fault && fault.overloaded === true;
}

/** What the object expects is an answer: whatever it throws is the platform's trouble, and none of the caller's. */
function unavailable(fault: unknown): Problem {
  console.error(fault);
  return new Problem("UNAVAILABLE", "The execution could not be reached; a repeated request may succeed", {
    headers: { "retry-after": "1" },
  });
}
