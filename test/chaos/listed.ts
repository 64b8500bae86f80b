import { createClient, type ExecutionSummary } from "../../src/client/index.ts";
import { stateOf as shownStateOf } from "../../src/journal/report.ts";
import { stateOf } from "./alarms.ts";
import type { Stored } from "./stored.ts";

/** Where the list of the Worker at this URL differs from what lies on disk. */
export async function listFaults(url: string, stored: ReadonlyMap<string, Stored>): Promise<readonly string[]> {
  const listed: ExecutionSummary[] = [];
  for await (const summary of createClient({ url }).list()) listed.push(summary);
  return compareLists(listed, stored);
}

export function compareLists(
  listed: readonly Pick<ExecutionSummary, "workflow" | "id" | "state">[],
  stored: ReadonlyMap<string, Stored>,
): readonly string[] {
  const byName = Map.groupBy(listed, ({ workflow, id }) => `${workflow}/${id}`);
  const unknown = [...byName.keys()].filter((name) => !stored.has(name));
  const wrong = [...stored].flatMap(([name, { entries }]) => {
    const is = shownStateOf(stateOf(entries));
    const says = (byName.get(name) ?? []).map(({ state }) => state);
    return says.length === 1 && says[0] === is
      ? []
      : [`${name} is ${is}, and is listed as ${says.join(" and ") || "nothing"}`];
  });
  return [...unknown.map((name) => `${name} is listed, and does not exist`), ...wrong];
}
