import { createStepwell, type ExecutionClass, type SchedulerClass } from "./worker/app.ts";

export * from "./authoring.ts";

/**
 * Makes an application of workflows. Outside of workerd everything but its Durable Object class works: options are
 * checked, and the routes answer.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 */
// The casts: no instance exists that could lack a method, and one type of app serves on every platform.
export const stepwell = createStepwell({
  Execution: () => Execution as unknown as ExecutionClass,
  Scheduler: () => Scheduler as unknown as SchedulerClass,
});

/** Stands where the class would; classes of the author's may extend it. */
function Execution(): never {
  throw absence("Execution");
}

/** As `Execution`. */
function Scheduler(): never {
  throw absence("Scheduler");
}

function absence(name: string): Error {
  return new Error(
    `Cannot construct ${name} as Durable Objects exist only in workerd: ` +
      "current module is the entry for other platforms",
  );
}
