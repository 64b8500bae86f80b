import { executionStub, type ExecutionStub } from "../durable-object/execution-stub.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { Problem } from "./problem.ts";
import type { Site } from "./site.ts";

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
  return await reach("The execution", () => call(stubOf(address)));
}

/** What the objects expect is an answer: whatever they throw is the platform's trouble, and none of the caller's. */
export async function reach<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (fault) {
    throw unavailable(what, fault);
  }
}

/** Calls the object for something that changes nothing, so that a call that failed can be made again. */
export async function ask<Answer>(address: Address, call: (stub: ExecutionStub) => Promise<Answer>): Promise<Answer> {
  return await reachTwice("The execution", () => call(stubOf(address)));
}

/** As `reach`, and once more where that may help. */
export async function reachTwice<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (fault) {
    if (isOverloaded(fault)) throw unavailable(what, fault);
    return await reach(what, call);
  }
}

function stubOf({ site, env, workflow, id }: Address): ExecutionStub {
  return executionStub(env, site.bindings.executions, { workflow, id });
}

/** More calls are the last thing that an overloaded object needs. The platform marks its errors so. */
function isOverloaded(fault: unknown): boolean {
  return typeof fault === "object" && fault !== null && "overloaded" in fault && fault.overloaded === true;
}

function unavailable(what: string, fault: unknown): Problem {
  console.error(fault);
  return new Problem("UNAVAILABLE", `${what} could not be reached; a repeated request may succeed`, {
    headers: { "retry-after": "1" },
  });
}
