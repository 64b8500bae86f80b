import * as fc from "fast-check";
import { CancelledError, NonRetryableError } from "../../src/steps/errors.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { awaitCallback, fetchStep, runStep } from "./program-operations.ts";
import type { World } from "./world.ts";

/** A random workflow: what it does, in a form that shrinks and prints. */
export type Program =
  | {
      readonly kind: "step";
      readonly fails: number;
      readonly attempts: number;
      readonly takesMs: number;
      /** How often its rollback fails; without one there is none. */
      readonly undoFails?: number;
    }
  /** A request that is answered with `ends` after it has failed `fails` times. */
  | { readonly kind: "fetch"; readonly fails: number; readonly attempts: number; readonly ends: 200 | 404 }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "signal"; readonly name: "a" | "b"; readonly timeoutMs: number }
  /** A callback, of which the world gets the URL, and so many waits for its result; with a schema it takes numbers. */
  | { readonly kind: "callback"; readonly timeoutMs: number; readonly waits: number; readonly hasSchema: boolean }
  /** So many awaits of nothing: a branch that needs no operation. */
  | { readonly kind: "microtasks"; readonly count: number }
  | { readonly kind: "draw"; readonly what: Draw }
  /** A call that is refused and takes no number. */
  | { readonly kind: "refused" }
  /** A step that nobody awaits. */
  | { readonly kind: "unawaited"; readonly takesMs: number }
  | { readonly kind: "sequence"; readonly parts: readonly Program[] }
  | { readonly kind: "all" | "race" | "any" | "allSettled" | "firstTwo"; readonly parts: readonly Program[] }
  /** Races one long-lived wait against each part in turn. */
  | { readonly kind: "stoppable"; readonly parts: readonly Program[] };

/** Synchronous, and no operation. */
type Draw = "random" | "uuid" | "now" | "progress" | "attributes" | "patched";

const MAXIMUM_PARTS = 4;

export const programs: fc.Arbitrary<Program> = fc.letrec<{ program: Program; leaf: Program }>((tie) => {
  const parts = fc.array(tie("program"), { minLength: 1, maxLength: MAXIMUM_PARTS });
  return {
    leaf: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record(
          {
            kind: fc.constant("step" as const),
            fails: fc.integer({ min: 0, max: 3 }),
            attempts: fc.integer({ min: 1, max: 3 }),
            takesMs: fc.constantFrom(0, 0, 0, 1, 700, 1_500),
            undoFails: fc.constantFrom(0, 0, 1, 3),
          },
          { requiredKeys: ["kind", "fails", "attempts", "takesMs"] },
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("fetch" as const),
          fails: fc.integer({ min: 0, max: 2 }),
          attempts: fc.integer({ min: 1, max: 2 }),
          ends: fc.constantFrom(200 as const, 404 as const),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("sleep" as const),
          ms: fc.constantFrom(-5, 0, 1, 1_000, 2_000, 5_000),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("signal" as const),
          name: fc.constantFrom("a" as const, "b" as const),
          timeoutMs: fc.constantFrom(0, 1_000, 3_000, 10_000),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("callback" as const),
          timeoutMs: fc.constantFrom(0, 3_000, 10_000, 30_000),
          waits: fc.integer({ min: 0, max: 3 }),
          hasSchema: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("microtasks" as const),
          count: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom(50, 300)),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("draw" as const),
          what: fc.constantFrom<Draw>("random", "uuid", "now", "progress", "attributes", "patched"),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: "refused" as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("unawaited" as const), takesMs: fc.constantFrom(0, 1_000) }),
      },
    ),
    program: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 3, arbitrary: tie("leaf") },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("sequence" as const), parts }) },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constantFrom(
            "all" as const,
            "race" as const,
            "any" as const,
            "allSettled" as const,
            "firstTwo" as const,
          ),
          parts,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("stoppable" as const), parts }) },
    ),
  };
}).program;

/**
 * Runs a program. Everything that the code could see is in what it returns: values, errors, and in `seen` the order in
 * which its branches went on.
 */
export async function runProgram(program: Program, context: ProgramContext, world: World): Promise<unknown> {
  const seen: string[] = [];
  const value = await interpret(program, "p", { context, world, seen }).catch((error: unknown) => {
    if (world.fails === true && CancelledError.is(error)) throw error;
    return nameOf(error);
  });
  if (world.fails === true) throw new NonRetryableError("The program fails.", { details: { value, seen } });
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
      return await context.step.run({ name: "refused", retryPolicy: { maximumAttempts: 0 } }, () => "").catch(nameOf);
    case "unawaited":
      runStep({ kind: "step", fails: 0, attempts: 1, takesMs: program.takesMs }, path, scope).catch(() => {});
      return "left alone";
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
    for (const branch of branches) branch.then(take, (error: unknown) => take(nameOf(error)));
  });
}

async function stoppable(parts: readonly Program[], path: string, scope: Scope): Promise<string> {
  const stop = scope.context.awaitSignal("a", { timeout: 20_000 });
  const values: string[] = [];
  for (const [index] of parts.entries()) {
    const winner = await Promise.race([stop, scope.context.sleep(1_000).then(() => "slept")]);
    values.push(typeof winner === "string" ? winner : "stopped");
    if (typeof winner !== "string") break;
    values.push(await interpret(parts[index] ?? { kind: "sleep", ms: 0 }, `${path}.${index}`, scope));
  }
  return values.join();
}

function nameOf(error: unknown): string {
  if (error instanceof AggregateError) return `AggregateError(${error.errors.map(nameOf).join()})`;
  return error instanceof Error ? `${error.name}: ${error.message}` : "no error";
}
