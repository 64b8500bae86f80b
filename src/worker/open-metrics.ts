import type { CountsDocument } from "./openapi/answers.ts";

export const OPEN_METRICS_TYPE = "application/openmetrics-text";

/** What a scraper reads. Names of workflows and states have no character that would have to be escaped. */
export function openMetrics({ workflows }: CountsDocument): string {
  const samples = Object.entries(workflows).flatMap(([workflow, states]) =>
    Object.entries(states).map(
      ([state, count]) => `stepwell_executions{workflow="${workflow}",state="${state}"} ${count}`,
    ),
  );
  return [
    "# TYPE stepwell_executions gauge",
    "# HELP stepwell_executions Executions that the directory knows, by workflow and state.",
    ...samples,
    "# EOF\n",
  ].join("\n");
}
