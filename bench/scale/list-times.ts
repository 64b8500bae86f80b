import type { DirectoryPort } from "../../src/execution/wire-directory.ts";
import type { ListKey, ListRequest } from "../../src/journal/list.ts";
import { timed } from "../bench.ts";
import type { ListTimes } from "./figures.ts";

/** What lists can be asked for here. */
export interface Example {
  readonly workflow: string;
  readonly tenant: string;
  /** Few have it. */
  readonly idPrefix: string;
  /** In the middle of all. */
  readonly after: ListKey;
}

const SAMPLES = 9;
const PAGE = 100;

export async function timeLists(directory: DirectoryPort, rows: number, example: Example): Promise<ListTimes> {
  const ms: Record<string, number> = {};
  for (const [name, request] of Object.entries(requestsOf(example))) {
    ms[name] = await leastOf(() => directory.list(request));
  }
  return { rows, ms };
}

/** The least of some samples, in ms: whatever else a machine does only adds to it. */
export async function leastOf(act: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < SAMPLES; i += 1) samples.push(await timed(act));
  return rounded(Math.min(...samples));
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function requestsOf({ workflow, tenant, idPrefix, after }: Example): Readonly<Record<string, ListRequest>> {
  const all = { order: "newest", attributes: {}, limit: PAGE } as const;
  return {
    "newest first": all,
    "from the middle on": { ...all, after },
    "of a workflow and a state": { ...all, workflow, state: "completed" },
    "of a state": { ...all, state: "completed" },
    "by an attribute": { ...all, attributes: { tenant } },
    "by a prefix of the id": { ...all, idPrefix },
    // No index knows both: every row of the first attribute is looked at, 10,000 for a page.
    "by two attributes, which none has": { ...all, attributes: { tenant, none: "here" } },
  };
}
