import type { ListPage, ListRequest, StateCount } from "../journal/list.ts";
import type { Directory } from "./ports.ts";

export type { ExecutionSummary, ListPage, ListRequest, StateCount } from "../journal/list.ts";
export type { Incarnation, Report } from "../journal/report.ts";

/** The methods of a Directory object that its callers use. */
export interface DirectoryPort extends Directory {
  /** A page may hold fewer than asked for, although more come after it: it looks at a bounded number of executions. */
  list(request: ListRequest): Promise<ListPage>;
  counts(): Promise<readonly StateCount[]>;
}
