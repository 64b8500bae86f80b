import { EXECUTION_STATES, type ExecutionState } from "../../../journal/execution-state.ts";

const MINUTE_MS = 60_000;

/** How far back a list looks. */
export const PERIODS = { "1h": 3_600_000, "1d": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type Period = keyof typeof PERIODS;
/** A list that looks between two times. */
export const BETWEEN = "between";

/** What a list shows. The address of the page holds it. */
export interface ListFilter {
  readonly workflow?: string;
  readonly state?: ExecutionState;
  readonly since?: Period | typeof BETWEEN;
  /** ISO 8601 in UTC, so that whoever is sent the address sees the same. */
  readonly from?: string;
  readonly to?: string;
  /** The beginning of an id, and `name=value` for each attribute, with spaces between. */
  readonly search?: string;
}

export function filterOfQuery(query: string): ListFilter {
  const parameters = new URLSearchParams(query);
  const workflow = parameters.get("workflow");
  const state = EXECUTION_STATES.find((each) => each === parameters.get("state"));
  const since = parameters.get("since");
  const isBetween = since === BETWEEN;
  const [from, to] = ["from", "to"].map((name) => (isBetween ? momentOf(parameters.get(name)) : undefined));
  const search = parameters.get("search");
  return {
    ...(workflow !== null && workflow !== "" && { workflow }),
    ...(state !== undefined && { state }),
    ...(since !== null && (since === BETWEEN || isPeriod(since)) && { since }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
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
export function directoryQuery(filter: ListFilter, now: number): URLSearchParams {
  const { workflow, state, since, from, to, search = "" } = filter;
  const parameters = new URLSearchParams();
  if (workflow !== undefined) parameters.set("workflow", workflow);
  if (state !== undefined) parameters.set("state", state);
  if (since !== undefined && since !== BETWEEN) parameters.set("startedAfter", String(now - PERIODS[since]));
  if (from !== undefined) parameters.set("startedAfter", from);
  if (to !== undefined) parameters.set("startedBefore", to);
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

function momentOf(text: string | null): string | undefined {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** What a control for a date and a time shows of a moment: by the clock of whoever looks at it. */
export function momentInput(moment: string | undefined): string {
  if (moment === undefined) return "";
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** The moment that somebody has written there; empty where none is. */
export function inputMoment(written: string): string {
  return momentOf(written) ?? "";
}

/** The filter that looks at another stretch of time: only what lies between two times has times of its own. */
export function changedPeriod({ from: _from, to: _to, ...others }: ListFilter, since: string): ListFilter {
  return changedFilter(others, "since", since === BETWEEN || isPeriod(since) ? since : "");
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
