import type { AnyWorkflow } from "stepwell";
import type { Client, ExecutionHandle } from "stepwell/client";
import { order } from "../client-workflows.ts";

export const INPUT = { sku: "lamp", lines: [{ cents: 4_900 }] };

/** One way in which a client reaches executions. */
export interface Way {
  readonly name: string;
  readonly client: Client;
  /** An id that no other test has, on whichever way. */
  readonly freshId: () => string;
}

export async function delay(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Where it waits for a signal, all that it does before is done. */
export async function waiting<W extends AnyWorkflow>(handle: ExecutionHandle<W>): Promise<ExecutionHandle<W>> {
  while ((await handle.status()).state !== "waiting") await delay(5);
  return handle;
}

/** An order that waits for its approval. */
export async function startOrder({ client, freshId }: Way): Promise<ExecutionHandle<typeof order>> {
  return await waiting(await client.start(order, INPUT, { id: freshId() }));
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
