import { drawUnit, hashText } from "./draw.ts";
import { nameText, type ExecutionName } from "./execution-name.ts";
import type { Report } from "./report.ts";
import type { ExecutionState } from "./execution-state.ts";

/** One execution in a list. */
export type ExecutionSummary = Omit<Report, "createdAt" | "sequence" | "purgeAt">;

/** Where an execution stands in every list: it never changes. */
export type ListKey = Pick<Report, "startedAt" | "workflow" | "id">;

export type ListOrder = "newest" | "oldest";

/** What is found; an absent field leaves nothing out. */
export interface ListFilter {
  readonly order: ListOrder;
  readonly workflow?: string;
  readonly state?: ExecutionState;
  /** Those that have all of these, as texts: a number is found by its digits. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Unix milliseconds, and this one is found. */
  readonly startedAfter?: number;
  /** Unix milliseconds, and this one is not. */
  readonly startedBefore?: number;
  readonly idPrefix?: string;
}

export interface ListRequest extends ListFilter {
  readonly limit: number;
  /** The page begins after it. */
  readonly after?: ListKey;
}

export interface ListPage {
  readonly executions: readonly ExecutionSummary[];
  /** Where the next page begins; `null` where nothing can come any more. */
  readonly next: ListKey | null;
}

/** How many executions of a workflow are in a state. */
export interface StateCount {
  readonly workflow: string;
  readonly state: ExecutionState;
  readonly count: number;
}

/** Negative where `a` comes before `b`. */
export function compareKeys(a: ListKey, b: ListKey, order: ListOrder): number {
  const sign = order === "oldest" ? 1 : -1;
  return sign * (a.startedAt - b.startedAt || compareTexts(a.workflow, b.workflow) || compareTexts(a.id, b.id));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** There are so many places in all shards together. */
export const SHARD_PLACES = 2 ** 32;

/** Where an execution has its place, however many shards there are. */
export function shardPlace(name: ExecutionName): number {
  return Math.floor(drawUnit(nameText(name), "shard") * SHARD_PLACES);
}

/** Which of so many shards holds an execution. */
export function shardOf(name: ExecutionName, shards: number): number {
  return Math.floor((shardPlace(name) * shards) / SHARD_PLACES);
}

/**
 * The page that those of all shards make together. A shard that has moved an execution may still hold it: what its own
 * shard says counts.
 */
export function mergePages(
  pages: readonly ListPage[],
  { order, limit }: Pick<ListRequest, "order" | "limit">,
): ListPage {
  const found = new Map<string, ExecutionSummary>();
  for (const [shard, { executions }] of pages.entries()) {
    for (const summary of executions) {
      const name = nameText(summary);
      // The home is asked for only where it decides: it costs a hash, and a page has thousands of rows.
      if (!found.has(name) || shardOf(summary, pages.length) === shard) found.set(name, summary);
    }
  }
  // What lies beyond it may lack what a shard has not come to.
  const horizon = earliest(
    pages.flatMap(({ next }) => (next === null ? [] : [next])),
    order,
  );
  const sorted = [...found.values()]
    .filter((summary) => horizon === undefined || compareKeys(summary, horizon, order) <= 0)
    .sort((a, b) => compareKeys(a, b, order));
  const executions = sorted.slice(0, limit);
  const last = executions.at(-1);
  const next = sorted.length > limit && last !== undefined ? keyOf(last) : (horizon ?? null);
  return { executions, next };
}

export function keyOf({ startedAt, workflow, id }: ListKey): ListKey {
  return { startedAt, workflow, id };
}

function earliest(keys: readonly ListKey[], order: ListOrder): ListKey | undefined {
  return [...keys].sort((a, b) => compareKeys(a, b, order))[0];
}

/** The counts of all shards together. */
export function sumCounts(counts: readonly (readonly StateCount[])[]): readonly StateCount[] {
  const sums = new Map<string, StateCount>();
  for (const one of counts.flat()) {
    const key = `${one.workflow}/${one.state}`;
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].sort((a, b) => compareTexts(a.workflow, b.workflow) || compareTexts(a.state, b.state));
}

const CURSOR = /^1\.([A-Za-z0-9_-]{10})\.([0-9]{1,16})\.([^.]+)\.(.+)$/;
const CHECK_LENGTH = 10;

/**
 * A place in the list of a filter, for callers to hand back: the version of its form, a check of everything in it and
 * of the filter, and the place.
 */
export function writeCursor(key: ListKey, filter: ListFilter): string {
  return `1.${checkOf(key, filter)}.${key.startedAt}.${key.workflow}.${key.id}`;
}

/** `undefined` for what is no cursor of this list. */
export function readCursor(cursor: string, filter: ListFilter): ListKey | undefined {
  const [, check, startedAt, workflow = "", id = ""] = CURSOR.exec(cursor) ?? [];
  const key = { startedAt: Number(startedAt), workflow, id };
  return check === checkOf(key, filter) ? key : undefined;
}

function checkOf({ startedAt, workflow, id }: ListKey, filter: ListFilter): string {
  const { order, state, startedAfter, startedBefore, idPrefix } = filter;
  const attributes = Object.entries(filter.attributes).sort(([a], [b]) => compareTexts(a, b));
  const found = [order, filter.workflow, state, attributes, startedAfter, startedBefore, idPrefix];
  return hashText(JSON.stringify([startedAt, workflow, id, ...found])).slice(0, CHECK_LENGTH);
}
