import { createStepwell, type DirectoryClass, type ExecutionClass, type SchedulerClass } from "./worker/app.ts";

export * from "./authoring.ts";

/**
 * Makes an application of workflows. Outside of workerd everything but its Durable Object classes works: options are
 * checked, and the routes answer.
 *
 * @throws TypeError or RangeError that names the option, the rule and the value
 */
// The casts: no instance exists that could lack a method, and one type of app serves on every platform.
export const stepwell = createStepwell({
  Execution: () => Execution as unknown as ExecutionClass,
  Directory: () => Directory as unknown as DirectoryClass,
  Scheduler: () => Scheduler as unknown as SchedulerClass,
});

/** They stand where the classes would; classes of the author's may extend them. */
function Execution(): never {
  throw absence("Execution");
}

/** As `Execution`. */
function Directory(): never {
  throw absence("Directory");
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
