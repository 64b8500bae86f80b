import { defineWorkflow, defineWorkflowSpec, type ExecutionRef, executionRef, staticSchema } from "stepwell";
import { expectTypeOf } from "vitest";

export const roomSpec = defineWorkflowSpec({
  name: "room",
  output: staticSchema<number>(),
  signals: { joined: staticSchema<{ who: string }>() },
});

export const guest = defineWorkflow(
  { name: "guest", input: staticSchema<{ room: string }>() },
  async ({ input, execution, signalExecution, cancelExecution }) => {
    const room = executionRef(roomSpec, input.room);
    await signalExecution(room, "joined", { who: execution.id });
    // @ts-expect-error another value
    await signalExecution(room, "joined", { whom: 1 });
    // @ts-expect-error another signal
    await signalExecution(room, "left", { who: execution.id });
    expectTypeOf(execution.parent).toEqualTypeOf<ExecutionRef | undefined>();
    if (execution.parent !== undefined) await signalExecution(execution.parent, "child-done", { any: "value" });
    await cancelExecution(room, "over");
  },
);

export const room = defineWorkflow(roomSpec, async ({ awaitSignal, startExecution }) => {
  const { value } = await awaitSignal("joined");
  await startExecution(guest, { room: value.who });
  // @ts-expect-error the input is not optional
  await startExecution(guest);
  return 1;
});

/** A limit of concurrency is the author's own code. */
export async function mapLimited<A, B>(
  items: readonly A[],
  limit: number,
  fn: (item: A, index: number) => Promise<B>,
): Promise<B[]> {
  const results: B[] = [];
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) results[index] = await fn(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

export const fan = defineWorkflow(
  { name: "fan", input: staticSchema<{ keys: string[] }>() },
  async ({ input, step }) => await mapLimited(input.keys, 10, (key) => step.run("resize", () => key.length)),
);
