import { nameText, type ExecutionName } from "../journal/execution-name.ts";
import { showValue } from "../steps/show-value.ts";
import { bindingOf } from "../execution/secret.ts";
import type { ExecutionPort } from "../execution/wire.ts";

/** A namespace of Execution objects, by the two methods of it that are used here. */
interface ExecutionNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): ExecutionStub;
}

/** An object as its callers reach it: `fetch` is for what no method can give, a WebSocket. */
export interface ExecutionStub extends ExecutionPort {
  fetch(request: Request): Promise<Response>;
}

/** Why the binding is no namespace of objects, `undefined` if it is one. That its class is the app's nothing can tell. */
export function namespaceFault(env: unknown, binding: string): string | undefined {
  const value = bindingOf(env, binding);
  if (isNamespace(value)) return undefined;
  // Never the value itself: it may be a secret under the wrong name.
  const current = typeof value === "string" ? "a text" : showValue(value);
  return `the binding ${binding} must be a Durable Object namespace: current value is ${current}`;
}

/**
 * Reaches the object of an execution, in memory or not. A stub that threw is broken for good, so every call makes its
 * own.
 *
 * @throws Error that names the binding, if it is no namespace
 */
export function executionStub(env: unknown, binding: string, name: ExecutionName): ExecutionStub {
  const namespace = bindingOf(env, binding);
  if (!isNamespace(namespace)) throw new Error(`Cannot reach ${nameText(name)} as ${namespaceFault(env, binding)}`);
  return namespace.get(namespace.idFromName(nameText(name)));
}

function isNamespace(value: unknown): value is ExecutionNamespace {
  return typeof value === "object" && value !== null && "idFromName" in value && typeof value.idFromName === "function";
}
