import type { ExecutionRef } from "../../src/execution/execution-ref.ts";
import type { WorkflowContext } from "../../src/execution/workflow-context.ts";
import { nameOfError } from "./name-of-error.ts";
import type { Program } from "./programs.ts";

/** What a child is started with. */
export interface ChildInput {
  readonly program: Program;
  /** Its place in the program of its parent. */
  readonly path: string;
}

type Child = Extract<Program, { readonly kind: "child" }>;

/** The context without the types of one workflow: programs know their children by name. */
type Untyped = Omit<WorkflowContext, "startExecution" | "runExecution" | "signalExecution"> & {
  readonly startExecution: (workflow: string, input: ChildInput, options?: object) => Promise<ExecutionRef>;
  readonly runExecution: (workflow: string, input: ChildInput) => Promise<unknown>;
  readonly signalExecution: (ref: ExecutionRef, name: string, value: unknown) => Promise<void>;
};

/** Starts a child, and does with it what the program says. What the code sees of it is in the text. */
export async function runChild({ how, timeoutMs, program }: Child, path: string, context: object): Promise<string> {
  // The cast: the names and inputs are those of the workflow `child`.
  const { startExecution, awaitExecution, runExecution, signalExecution, cancelExecution } = context as Untyped;
  const input = { program, path: `${path}c` };
  switch (how) {
    case "run":
      return JSON.stringify(await runExecution("child", input));
    case "await":
      return JSON.stringify(await awaitExecution(await startExecution("child", input)));
    case "timeout":
      return JSON.stringify(await awaitExecution(await startExecution("child", input), { timeout: timeoutMs }));
    case "signal": {
      const ref = await startExecution("child", input);
      const sent = await Promise.all(["a", "b"].map((name) => outcomeOf(signalExecution(ref, name, path))));
      return JSON.stringify([sent, await awaitExecution(ref)]);
    }
    case "cancel": {
      const ref = await startExecution("child", input);
      await cancelExecution(ref, path);
      return JSON.stringify(await awaitExecution(ref));
    }
    case "leave":
      return JSON.stringify(await startExecution("child", input));
    case "leave to continue":
      return JSON.stringify(await startExecution("child", input, { onParentEnd: "continue" }));
    case "start twice": {
      const [ref, same] = await Promise.all([1, 2].map(() => startExecution("child", input, { id: path })));
      if (ref === undefined || same?.id !== ref.id) throw new Error("Both starts give one execution.");
      return JSON.stringify(await awaitExecution(ref));
    }
  }
}

/** A signal to the parent, which may have ended. */
export async function tellParent(name: "a" | "b", path: string, context: object): Promise<string> {
  // The cast: as above.
  const { execution, signalExecution } = context as Untyped;
  if (execution.parent === undefined) return "nobody";
  return await outcomeOf(signalExecution(execution.parent, name, path));
}

async function outcomeOf(sending: Promise<void>): Promise<string> {
  return await sending.then(() => "sent", nameOfError);
}
