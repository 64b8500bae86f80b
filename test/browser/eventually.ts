import { delay } from "../../examples/demo/processes.ts";

const EVERY_MS = 100;

/** Until what is expected is so; at the latest after some time it throws what was not. */
export async function eventually(expectation: () => Promise<void>, withinMs = 15_000): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (fault) {
      if (Date.now() >= until) throw fault;
    }
    await delay(EVERY_MS);
  }
}
