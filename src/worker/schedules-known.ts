import type { Context, MiddlewareHandler } from "hono";
import { bindingFault } from "./configuration.ts";
import { touchScheduler } from "./schedule-requests.ts";
import type { Site } from "./site.ts";
import type { WorkerBindings } from "./visit.ts";

/**
 * The first request that an isolate gets makes the scheduler see what is deployed, beside the answer: code that was
 * deployed runs in new isolates, and an object that nobody calls does not know of it.
 */
export function makeSchedulesKnown(site: Site): MiddlewareHandler<WorkerBindings> {
  let isKnown = site.deployment.schedules.length === 0;
  return async (context, next) => {
    if (!isKnown && bindingFault(site, context.env) === undefined) {
      isKnown = true;
      const touched = touchScheduler({ site, env: context.env }).catch((error: unknown) => {
        // The next request tries again.
        isKnown = false;
        console.error("The scheduler could not be reached.", error);
      });
      holdOpen(context, touched);
    }
    await next();
  };
}

function holdOpen(context: Context, promise: Promise<void>): void {
  try {
    context.executionCtx.waitUntil(promise);
  } catch {
    // A router that is called without the platform's context, as in a test, has nothing to hold open.
  }
}
