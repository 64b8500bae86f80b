import { directoryStub } from "../durable-object/directory-stub.ts";
import type { DirectoryPort, ExecutionSummary, StateCount } from "../execution/wire-directory.ts";
import { writeCursor } from "../journal/list.ts";
import { EXECUTION_STATES, type ExecutionState } from "../journal/execution-state.ts";
import type { Place } from "./addressed.ts";
import { reachTwice } from "./execution-stub.ts";
import { readListQuery } from "./list-query.ts";
import type { CountsDocument } from "./openapi/answers.ts";
import { Problem } from "./problem.ts";

/** What callers may ask of the directory, whichever way they come; beside what stands in `execution-requests.ts`. */

export interface ListedExecutions {
  readonly executions: readonly ExecutionSummary[];
  /** `cursor` of the next page, `null` at the end. */
  readonly next: string | null;
}

/** `query` as in a URL: see `LIST_QUERY`. */
export async function listExecutions(
  place: Place,
  query: Readonly<Record<string, unknown>>,
): Promise<ListedExecutions> {
  const request = readListQuery(query);
  const { executions, next } = await askDirectory(place, (port) => port.list(request));
  return { executions, next: next && writeCursor(next, request) };
}

/** In all, and of every workflow that is deployed or has executions. */
export async function countExecutions(place: Place): Promise<CountsDocument> {
  const counts = await askDirectory(place, (port) => port.counts());
  const deployed = place.site.deployment.workflows.map(({ name }) => name);
  const names = [...new Set([...deployed, ...counts.map(({ workflow }) => workflow)])];
  const byName = names.map((name) => [name, byState(counts.filter(({ workflow }) => workflow === name))] as const);
  return { total: byState(counts), workflows: Object.fromEntries(byName) };
}

function byState(counts: readonly StateCount[]): Record<ExecutionState, number> {
  const sum = (state: ExecutionState) =>
    counts.filter((one) => one.state === state).reduce((total, { count }) => total + count, 0);
  // The cast: every state is in the list.
  return Object.fromEntries(EXECUTION_STATES.map((state) => [state, sum(state)])) as Record<ExecutionState, number>;
}

async function askDirectory<Answer>(
  { site, env }: Place,
  ask: (port: DirectoryPort) => Promise<Answer>,
): Promise<Answer> {
  const { directory } = site;
  if (directory === undefined) {
    throw new Problem("NOT_FOUND", "This deployment has no directory: it says `directory: false`");
  }
  return await reachTwice("The directory", () => ask(directoryStub(env, directory)));
}
