import { createDirectoryClass } from "./durable-object/directory-object.ts";
import { createExecutionClass, surroundingsOf } from "./durable-object/execution-object.ts";
import { createSchedulerClass } from "./durable-object/scheduler-object.ts";
import { createStepwell } from "./worker/app.ts";

export * from "./authoring.ts";

/**
 * Makes an application of workflows: a Worker's default export, and the classes of its Durable Objects.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 * @example
 * ```ts
 * const app = stepwell({ workflows: [order] });
 * export class Execution extends app.Execution {}
 * export class Directory extends app.Directory {}
 * export default app;
 * ```
 */
export const stepwell = createStepwell({
  Execution: ({ deployment, executions, directory, readFrame }) =>
    createExecutionClass(deployment, surroundingsOf(executions, directory), readFrame),
  Directory: ({ executions, directory }) => createDirectoryClass({ ...surroundingsOf(executions), place: directory }),
  Scheduler: ({ deployment, executions }) => createSchedulerClass(deployment, surroundingsOf(executions)),
});
