/** Members of a workflow's context that ask the engine for an operation. `step` has `run` and `fetch` besides. */
export const OPERATIONS: ReadonlySet<string> = new Set([
  "sleep",
  "sleepUntil",
  "awaitSignal",
  "createCallback",
  "startExecution",
  "awaitExecution",
  "runExecution",
  "signalExecution",
  "cancelExecution",
]);

/** Members that are no operations, but belong to the workflow's own code all the same: a step that uses one fails. */
export const OWN_TO_WORKFLOW_CODE: ReadonlySet<string> = new Set([
  "now",
  "random",
  "uuid",
  "setProgress",
  "setAttributes",
  "patched",
]);

/** Members that any code may use, also that of steps. */
export const FREE_MEMBERS: ReadonlySet<string> = new Set([
  "input",
  "env",
  "execution",
  "errors",
  "retryAfter",
  "cancelled",
  "exhausted",
  "log",
]);

/** Methods of the texts, numbers and lists that variables of `env` are: unlike those of bindings they do nothing. */
export function isMethodOfVariable(name: string | undefined): boolean {
  return name === undefined || [String, Number, Array].some(({ prototype }) => Object.hasOwn(prototype, name));
}
