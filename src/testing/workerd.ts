import { evictDurableObject, listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { executionRef } from "../execution/execution-ref.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import { type Duration, parseDurationWithin } from "../steps/duration.ts";
import { realDelay, realNow } from "./real-time.ts";

/** The namespace that the executions of a Worker are bound to, as in `env.EXECUTIONS`. */
export type ExecutionNamespace = Pick<DurableObjectNamespace, "idFromName" | "get">;

const DRAIN_DEFAULT: Duration = "5s";
const DRAIN = { minimumMs: 0, maximumMs: 600_000 };

/** Between two looks at executions that are running. */
const LOOK_MS = 2;

/**
 * Rings the alarm of an execution now, due or not: what is due happens, nothing else. Real time goes on as ever; only
 * the platform's alarm is not waited for. False where none is set.
 *
 * @example
 * ```ts
 * await wake(env.EXECUTIONS, order, "order-42");
 * ```
 */
export async function wake(namespace: ExecutionNamespace, workflow: AnyWorkflow, id: string): Promise<boolean> {
  return await runDurableObjectAlarm(stubOf(namespace, workflow, id));
}

/** Takes the object of an execution out of memory, as the platform does when it likes. One that is not in it is left. */
export async function evict(namespace: ExecutionNamespace, workflow: AnyWorkflow, id: string): Promise<void> {
  try {
    await evictDurableObject(stubOf(namespace, workflow, id));
  } catch (error) {
    // The pool has no other way of saying that there is nothing to do.
    if (!String(error).includes("not currently running")) throw error;
  }
}

/**
 * Waits until none of a Worker's executions is running: each has ended, is paused, or waits for a later time or a
 * message. Alarms that are due are rung. To be called at the end of a test, whose storage must not change after it.
 *
 * @param options.timeout how long at most, up to 10 minutes. @default "5s"
 * @throws {Error} that names the executions which are running when the time is over
 * @example
 * ```ts
 * await drain(env.EXECUTIONS);
 * ```
 */
export async function drain(
  namespace: DurableObjectNamespace,
  options: { readonly timeout?: Duration | undefined } = {},
): Promise<void> {
  const timeoutMs = parseDurationWithin(options.timeout ?? DRAIN_DEFAULT, "timeout", DRAIN);
  const until = realNow() + timeoutMs;
  for (;;) {
    const running = await runningOf(namespace);
    if (running.length === 0) return;
    if (realNow() >= until) {
      const names = running.join(", ");
      throw new Error(`Cannot drain the executions as all must rest within ${timeoutMs} ms: ${names} still run.`);
    }
    await realDelay(LOOK_MS);
  }
}

async function runningOf(namespace: DurableObjectNamespace): Promise<string[]> {
  const running: string[] = [];
  for (const id of await listDurableObjectIds(namespace)) {
    const name = await lookAt(namespace.get(id));
    if (name !== undefined) running.push(name);
  }
  return running;
}

/** The execution's name, where it is running or its alarm is due. */
async function lookAt(stub: DurableObjectStub): Promise<string | undefined> {
  const { view, alarmAt } = await runInDurableObject(stub, async (instance: unknown, { storage }) => {
    // The cast: what a Worker has bound as its executions.
    const found = await (instance as ExecutionPort).view();
    return { view: found.kind === "found" ? found.view : undefined, alarmAt: await storage.getAlarm() };
  });
  if (view === undefined || view.outcome !== undefined) return undefined;
  const isDue = alarmAt !== null && alarmAt <= realNow();
  if (isDue) await runDurableObjectAlarm(stub);
  return isDue || view.state === "running" ? `${view.workflow}/${view.id}` : undefined;
}

function stubOf(namespace: ExecutionNamespace, workflow: AnyWorkflow, id: string): DurableObjectStub {
  const ref = executionRef(workflow, id);
  return namespace.get(namespace.idFromName(`${ref.workflow}/${ref.id}`));
}
