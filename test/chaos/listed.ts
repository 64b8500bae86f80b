import { createClient, type ExecutionSummary } from "../../src/client/index.ts";
import { stateOf as shownStateOf } from "../../src/journal/report.ts";
import { compareList, type Listed } from "../support/compare-list.ts";
import { stateOf } from "./alarms.ts";
import type { Stored } from "./stored.ts";

/** Where the list of the Worker at this URL differs from what lies on disk. */
export async function listFaults(url: string, stored: ReadonlyMap<string, Stored>): Promise<readonly string[]> {
  const listed: ExecutionSummary[] = [];
  for await (const summary of createClient({ url }).list()) listed.push(summary);
  return compareLists(listed, stored);
}

export function compareLists(listed: readonly Listed[], stored: ReadonlyMap<string, Stored>): readonly string[] {
  return compareList(listed, new Map([...stored].map(([name, { entries }]) => [name, shownStateOf(stateOf(entries))])));
}
