import { createExecutionClass, surroundingsOf } from "./durable-object/execution-object.ts";
import { createSchedulerClass } from "./durable-object/scheduler-object.ts";
import { createStepwell } from "./worker/app.ts";

export * from "./authoring.ts";

/**
 * Makes an application of workflows: a Worker's default export, and the class of its Durable Objects.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 * @example
 * ```ts
 * const app = stepwell({ workflows: [order] });
 * export class Execution extends app.Execution {}
 * export default app;
 * ```
 */
export const stepwell = createStepwell({
  Execution: (deployment, binding, readFrame) => createExecutionClass(deployment, surroundingsOf(binding), readFrame),
  Scheduler: (deployment, binding) => createSchedulerClass(deployment, surroundingsOf(binding)),
});
