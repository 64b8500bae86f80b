import { CancelledError, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { nameOfError } from "./name-of-error.ts";
import { awaitCallback, fetchStep, runStep } from "./program-operations.ts";
import type { Draw, Program } from "./programs.ts";
import { runChild, tellParent, type ChildInput } from "./run-child.ts";
import type { World } from "./world.ts";

/**
 * Runs a program. Everything that the code could see is in what it returns: values, errors, and in `seen` the order in
 * which its branches went on.
 */
export async function runProgram(program: Program, context: ProgramContext, world: World): Promise<unknown> {
  const seen: string[] = [];
  const value = await interpret(program, "p", { context, world, seen }).catch((error: unknown) => {
    if (world.fails === true && CancelledError.is(error)) throw error;
    return nameOfError(error);
  });
  if (world.fails === true) throw new NonRetryableError("The program fails.", { details: { value, seen } });
  return { value, seen };
}

/** The same as a child of another program, which sees how it ends. */
export async function runAsChild(
  { program, path }: ChildInput,
  context: ProgramContext,
  world: World,
): Promise<unknown> {
  const seen: string[] = [];
  const value = await interpret(program, path, { context, world, seen }).catch((error: unknown) => {
    if (CancelledError.is(error) || StepExhausted.is(error)) throw error;
    return nameOfError(error);
  });
  return { value, seen };
}

export type ProgramContext = WorkflowContext & {
  readonly awaitSignal: (name: "a" | "b", options: { timeout: number }) => Promise<{ readonly received: boolean }>;
};

export interface Scope {
  readonly context: ProgramContext;
  readonly world: World;
  readonly seen: string[];
}

async function interpret(program: Program, path: string, scope: Scope): Promise<string> {
  const value = await evaluate(program, path, scope);
  scope.seen.push(`${path}=${value}`);
  return value;
}

async function evaluate(program: Program, path: string, scope: Scope): Promise<string> {
  const { context } = scope;
  switch (program.kind) {
    case "step":
      return await runStep(program, path, scope);
    case "fetch":
      return await fetchStep(program, path, scope);
    case "sleep":
      await context.sleep(program.ms);
      return "slept";
    case "signal": {
      const outcome = await context.awaitSignal(program.name, { timeout: program.timeoutMs });
      return outcome.received ? JSON.stringify(outcome) : "timed out";
    }
    case "callback":
      return await awaitCallback(program, scope);
    case "microtasks":
      for (let i = 0; i < program.count; i += 1) await Promise.resolve();
      return "ran";
    case "draw":
      return draw(program.what, path, context);
    case "refused":
      return await context.step
        .run({ name: "refused", retryPolicy: { maximumAttempts: 0 } }, () => "")
        .catch(nameOfError);
    case "unawaited":
      runStep({ kind: "step", fails: 0, attempts: 1, takesMs: program.takesMs }, path, scope).catch(() => {});
      return "left alone";
    case "child":
      return await runChild(program, path, context);
    case "tell":
      return await tellParent(program.name, path, context);
    case "sequence": {
      const values: string[] = [];
      for (const [index, part] of program.parts.entries())
        values.push(await interpret(part, `${path}.${index}`, scope));
      return values.join();
    }
    default:
      return await combine(program, path, scope);
  }
}

function draw(what: Draw, path: string, context: ProgramContext): string {
  switch (what) {
    case "progress":
      context.setProgress(path);
      return "set";
    case "attributes":
      context.setAttributes({ last: path, [`b${path.length % 7}`]: path });
      return JSON.stringify(context.execution.attributes);
    case "patched":
      return String(context.patched(path));
    default:
      return String(context[what]());
  }
}

type Combined = Extract<Program, { readonly kind: "all" | "race" | "any" | "allSettled" | "firstTwo" | "stoppable" }>;

async function combine(program: Combined, path: string, scope: Scope): Promise<string> {
  if (program.kind === "stoppable") return await stoppable(program.parts, path, scope);
  const branches = program.parts.map((part, index) => interpret(part, `${path}.${index}`, scope));
  switch (program.kind) {
    case "all":
      return (await Promise.all(branches)).join();
    case "race":
      for (const branch of branches) branch.catch(() => {});
      return await Promise.race(branches);
    case "any":
      return await Promise.any(branches);
    case "allSettled":
      return (await Promise.allSettled(branches)).map(({ status }) => status).join();
    case "firstTwo":
      return await firstTwo(branches);
  }
}

/** A combinator written by hand. */
async function firstTwo(branches: readonly Promise<string>[]): Promise<string> {
  return await new Promise((resolve) => {
    const first: string[] = [];
    const take = (value: string) => {
      first.push(value);
      if (first.length === Math.min(2, branches.length)) resolve(first.join("&"));
    };
    for (const branch of branches) branch.then(take, (error: unknown) => take(nameOfError(error)));
  });
}

async function stoppable(parts: readonly Program[], path: string, scope: Scope): Promise<string> {
  const stop = scope.context.awaitSignal("a", { timeout: 20_000 });
  const values: string[] = [];
  for (const [index] of parts.entries()) {
    scope.world.listens?.(stop, "races");
    const winner = await Promise.race([stop, scope.context.sleep(1_000).then(() => "slept")]);
    scope.world.listens?.(stop, "left");
    values.push(typeof winner === "string" ? winner : "stopped");
    if (typeof winner !== "string") break;
    values.push(await interpret(parts[index] ?? { kind: "sleep", ms: 0 }, `${path}.${index}`, scope));
  }
  return values.join();
}
