import type { MemoryHost } from "./memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";

/** A client makes its request once: was it answered? `objects` are those that have a part in the answer. */
export async function askOnce(
  host: MemoryHost,
  objects: readonly MemoryObject[],
  request: () => Promise<unknown>,
): Promise<boolean> {
  const death = Promise.race(objects.map((object) => object.death));
  const answered = await Promise.race([
    request().then(
      () => true,
      () => false,
    ),
    death.then(() => false),
  ]);
  // An answer leaves when all that was written before it is durable; with a death before that, there is none.
  const died = await Promise.race([death.then(() => true), host.settle().then(() => false)]);
  return answered && !died;
}

/** A client repeats its request until it is answered. */
export async function insist(
  host: MemoryHost,
  objects: readonly MemoryObject[],
  request: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (await askOnce(host, objects, request)) return;
    await host.settle();
  }
  throw new Error("No answer after 20 tries.");
}
