import { bindingOf } from "../execution/secret.ts";
import type { SchedulerPort } from "../execution/wire-schedules.ts";
import { namespaceFault } from "./execution-stub.ts";

/** The one object of its namespace. */
const NAME = "scheduler";

/** A namespace of Scheduler objects, by the two methods of it that are used here. */
interface SchedulerNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): SchedulerPort;
}

/**
 * Reaches the object that keeps the schedules. A stub that threw is broken for good, so every call makes its own.
 *
 * @throws Error that names the binding, if it is no namespace
 */
export function schedulerStub(env: unknown, binding: string): SchedulerPort {
  const fault = namespaceFault(env, binding);
  if (fault !== undefined) throw new Error(`Cannot reach the schedules as ${fault}`);
  // The cast: that its class is the app's nothing can tell.
  const namespace = bindingOf(env, binding) as SchedulerNamespace;
  return namespace.get(namespace.idFromName(NAME));
}
