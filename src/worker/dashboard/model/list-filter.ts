import { EXECUTION_STATES, type ExecutionState } from "../../../journal/execution-state.ts";

/** How far back a list looks. */
export const PERIODS = { "1h": 3_600_000, "1d": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type Period = keyof typeof PERIODS;

/** What a list shows. The address of the page holds it. */
export interface ListFilter {
  readonly workflow?: string;
  readonly state?: ExecutionState;
  readonly since?: Period;
  /** The beginning of an id, and `name=value` for each attribute, with spaces between. */
  readonly search?: string;
}

export function filterOfQuery(query: string): ListFilter {
  const parameters = new URLSearchParams(query);
  const workflow = parameters.get("workflow");
  const state = EXECUTION_STATES.find((each) => each === parameters.get("state"));
  const since = parameters.get("since");
  const search = parameters.get("search");
  return {
    ...(workflow !== null && workflow !== "" && { workflow }),
    ...(state !== undefined && { state }),
    ...(since !== null && isPeriod(since) && { since }),
    ...(search !== null && search.trim() !== "" && { search }),
  };
}

export function queryOfFilter(filter: ListFilter): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (typeof value === "string") parameters.set(name, value);
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
}

/** The query by which the directory is asked for what the filter shows. */
export function directoryQuery({ workflow, state, since, search = "" }: ListFilter, now: number): URLSearchParams {
  const parameters = new URLSearchParams();
  if (workflow !== undefined) parameters.set("workflow", workflow);
  if (state !== undefined) parameters.set("state", state);
  if (since !== undefined) parameters.set("startedAfter", String(now - PERIODS[since]));
  for (const word of search.split(/\s+/).filter((each) => each !== "")) {
    const [name = "", ...rest] = word.split("=");
    if (rest.length === 0) parameters.set("idPrefix", word);
    else parameters.set(`attribute.${name}`, rest.join("="));
  }
  return parameters;
}

function isPeriod(value: string): value is Period {
  return Object.hasOwn(PERIODS, value);
}

/** The filter with another value in a field; an empty one leaves nothing out. */
export function changedFilter<Field extends keyof ListFilter>(
  filter: ListFilter,
  field: Field,
  value: Exclude<ListFilter[Field], undefined> | "",
): ListFilter {
  const { [field]: _, ...others } = filter;
  return value === "" ? others : { ...others, [field]: value };
}
