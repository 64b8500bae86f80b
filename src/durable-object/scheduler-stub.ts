import type { SchedulerPort } from "../execution/wire-schedules.ts";
import { namespaceOf } from "./namespace.ts";

/** The one object of its namespace. */
const NAME = "scheduler";

/**
 * Reaches the object that keeps the schedules.
 *
 * @throws Error that names the binding, if it is no namespace
 */
export function schedulerStub(env: unknown, binding: string): SchedulerPort {
  const namespace = namespaceOf(env, binding);
  // The cast: that its class is the app's nothing can tell.
  return namespace.get(namespace.idFromName(NAME)) as SchedulerPort;
}
