import type { Report } from "../../src/journal/report.ts";

/** What an execution tells the directory. */
export function report(given: Partial<Report> = {}): Report {
  return {
    workflow: "order",
    id: "order-1",
    state: "running",
    startedAt: 1,
    createdAt: 1,
    sequence: 1,
    attributes: {},
    ...given,
  };
}
