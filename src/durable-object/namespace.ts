import { bindingOf } from "../execution/secret.ts";
import { showValue } from "../steps/show-value.ts";

/** A namespace of objects, by the two methods of it that are used here. */
interface Namespace {
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
 * Reaches the object of a name, in memory or not. A stub that threw is broken for good, so every call makes its own.
 * Which class stands behind the binding the caller says.
 *
 * @throws Error that names the binding, if it is no namespace
 */
export function stubOf<Stub>(env: unknown, binding: string, name: string): Stub {
  const namespace = bindingOf(env, binding);
  if (!isNamespace(namespace)) throw new Error(`Cannot reach ${name} as ${namespaceFault(env, binding)}`);
  // The cast: what the methods of its class are no namespace tells.
  return namespace.get(namespace.idFromName(name)) as Stub;
}

/** True where the object of that name has this id. */
export function isIdOf(env: unknown, binding: string, name: string, id: DurableObjectId): boolean {
  const namespace = bindingOf(env, binding);
  return isNamespace(namespace) && id.equals(namespace.idFromName(name));
}

function isNamespace(value: unknown): value is Namespace {
  return typeof value === "object" && value !== null && "idFromName" in value && typeof value.idFromName === "function";
}
