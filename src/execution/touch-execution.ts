import type { Execution } from "./execution.ts";

/**
 * Touches an execution, which heals what there is to heal. False where nothing is stored. If its storage fails in that,
 * another one takes its place, and has to read what is stored before anybody decides by it.
 */
export async function touchExecution(execution: () => Execution): Promise<boolean> {
  return (await execution().touch()) && execution().journal.load();
}

/**
 * As `touchExecution`, for another execution of that name: one whose retention is over gives way to it at once, however
 * long the directory may take.
 */
export async function touchOrClear(execution: () => Execution): Promise<boolean> {
  const isThere = await touchExecution(execution);
  const { purge } = execution();
  if (!isThere && purge.isDue) await purge.purgeUnannounced();
  return isThere;
}
