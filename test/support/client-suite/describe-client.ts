import type { Client } from "stepwell/client";
import { describeHandles } from "./handles.ts";
import { describeLists } from "./lists.ts";
import { describeMessages } from "./messages.ts";
import { describeSchedules } from "./schedules.ts";
import { describeStarts } from "./starts.ts";
import { describeValues } from "./values.ts";

/** What holds for a client whichever way it reaches executions. */
export function describeClient(name: string, client: Client): void {
  let count = 0;
  const way = { name, client, freshId: () => `${name}-${(count += 1)}` };
  describeStarts(way);
  describeValues(way);
  describeHandles(way);
  describeMessages(way);
  describeLists(way);
  describeSchedules(way);
}
