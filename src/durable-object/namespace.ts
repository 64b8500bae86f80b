import { bindingOf } from "../execution/secret.ts";
import { showValue } from "../steps/show-value.ts";

/** A namespace of objects, by the two methods of it that are used here. */
export interface Namespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId): unknown;
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
 * The namespace behind a binding. A stub of it that threw is broken for good, so every call of an object makes its own.
 *
 * @throws Error that names the binding, if it is no namespace
 */
export function namespaceOf(env: unknown, binding: string): Namespace {
  const namespace = bindingOf(env, binding);
  if (isNamespace(namespace)) return namespace;
  throw new Error(`Cannot reach an object as ${namespaceFault(env, binding)}`);
}

function isNamespace(value: unknown): value is Namespace {
  return typeof value === "object" && value !== null && "idFromName" in value && typeof value.idFromName === "function";
}
