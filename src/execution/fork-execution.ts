import type { Absent, ExecutionPort, Refused } from "./wire.ts";
import type { ForkAnswer } from "./wire-fork.ts";

export interface Forking {
  readonly workflow: string;
  /** Of the original. */
  readonly of: string;
  /** Of the fork. */
  readonly id: string;
  readonly before?: string | number;
}

/**
 * Forks one execution into another object, which asks the original's for one page after the other. Whoever calls this
 * stands between them, as objects know nothing of each other.
 */
export async function forkExecution(
  original: Pick<ExecutionPort, "cut" | "copy">,
  fork: Pick<ExecutionPort, "fork">,
  { workflow, of, id, before }: Forking,
): Promise<ForkAnswer | Absent | Refused> {
  const asked = before === undefined ? {} : { before };
  const found = await original.cut(asked);
  if (found.kind !== "cut") return found;
  const { entry: cut, cutAt, startedAt, deadlineMs } = found;
  const deadline = deadlineMs === undefined ? {} : { deadlineMs };
  const request = { workflow, id, of, ...asked, cut, cutAt, startedAt, ...deadline };
  return await fork.fork(request, (page) => original.copy(page));
}
