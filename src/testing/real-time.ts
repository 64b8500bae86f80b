// Taken once, when the module loads: fake timers in somebody's test must not stop the engine.
const { setTimeout } = globalThis;
const dateNow = Date.now;

/** Unix milliseconds, as the machine's clock has it. */
export const realNow = (): number => dateNow();

/** Real time passes: for work that nothing virtual brings to its end. */
export function realDelay(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
