import { nameText, type ExecutionName } from "../journal/execution-name.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { stubOf } from "./namespace.ts";

/** An object as its callers reach it: `fetch` is for what no method can give, a WebSocket. */
export interface ExecutionStub extends ExecutionPort {
  fetch(request: Request): Promise<Response>;
}

/** Reaches the object of an execution. */
export function executionStub(env: unknown, binding: string, name: ExecutionName): ExecutionStub {
  return stubOf<ExecutionStub>(env, binding, nameText(name));
}
