import type { Execution } from "./execution.ts";

/**
 * Touches an execution, which heals what there is to heal. False where nothing is stored. If its storage fails in that,
 * another one takes its place, and has to read what is stored before anybody decides by it.
 */
export async function touchExecution(execution: () => Execution): Promise<boolean> {
  return (await execution().touch()) && execution().journal.load();
}
