import { createStepwell, type ExecutionClass } from "./worker/app.ts";

export * from "./authoring.ts";

/**
 * Makes an application of workflows. Outside of workerd everything but its Durable Object class works: options are
 * checked, and the routes answer.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 */
// The cast: no instance exists that could lack a method, and one type of app serves on every platform.
export const stepwell = createStepwell(() => Execution as unknown as ExecutionClass);

/** Stands where the class would; classes of the author's may extend it. */
function Execution(): never {
  throw new Error(
    "Cannot construct Execution as Durable Objects exist only in workerd: " +
      "current module is the entry for other platforms",
  );
}
