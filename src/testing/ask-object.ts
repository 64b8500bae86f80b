import { outsideAttempts } from "../execution/attempt-scope.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import type { MemoryObject } from "./memory-object.ts";
import { endTurn } from "./turn-end.ts";

/** A caller that asks so often without an answer has found something broken. */
const TRIES = 20;

/**
 * Asks an object as a caller does who insists: where it dies before its answer can leave, which is when all that was
 * written before is durable, the request is made again.
 */
export async function askObject<Answer>(
  object: MemoryObject,
  ask: (port: ExecutionPort) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { life, kills, death } = object;
    const asked = outsideAttempts(() => ask(object.service)).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (object.life === life) throw error;
        return undefined;
      },
    );
    const answered = await Promise.race([asked, death.then(() => undefined)]);
    await endTurn();
    if (answered !== undefined && object.kills === kills) return answered.answer;
  }
  throw new Error(`Cannot ask the execution as its object must not die each time: it did so ${TRIES} times.`);
}
