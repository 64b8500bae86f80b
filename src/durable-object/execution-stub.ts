import { nameText, type ExecutionName } from "../journal/execution-name.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { namespaceOf } from "./namespace.ts";

/** An object as its callers reach it: `fetch` is for what no method can give, a WebSocket. */
export interface ExecutionStub extends ExecutionPort {
  fetch(request: Request): Promise<Response>;
}

/** Reaches the object of an execution. */
export function executionStub(env: unknown, binding: string, name: ExecutionName): ExecutionStub {
  const namespace = namespaceOf(env, binding);
  // The cast: which class stands behind a binding nothing can tell.
  return namespace.get(namespace.idFromName(nameText(name))) as ExecutionStub;
}
