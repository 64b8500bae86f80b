import {
  compareKeys,
  keyOf,
  type ExecutionSummary,
  type ListKey,
  type ListPage,
  type ListRequest,
} from "../journal/list.ts";
import { LIMITS } from "../limits.ts";
import type { ExecutionState } from "../journal/execution-state.ts";
import { attributeText, readSummary, type StoredSummary } from "./directory-table.ts";

type Row = {
  readonly id: string;
  readonly workflow: string;
  readonly state: ExecutionState;
  readonly startedAt: number;
  readonly summary: string;
};

/** A part of a statement, with what is bound in it. */
interface Clause {
  readonly text: string;
  readonly bindings: readonly SqlStorageValue[];
}

const COLUMNS = "e.id, e.workflow, e.state, e.startedAt, e.summary";

/** Before and after every id, whose characters all lie between. */
const FIRST = "";
const LAST = "\x7f";

/**
 * One page of what a shard holds. Its rows come from one or several indexes in the order of the list, are looked at as
 * they come, and only as many as are needed.
 */
export function listRows(sql: SqlStorage, request: ListRequest): ListPage {
  const executions: ExecutionSummary[] = [];
  let examined: ListKey | undefined;
  let looks = 0;
  for (const row of rowsOf(sql, request)) {
    // One more than fits tells that there is another page.
    if (examined !== undefined && (executions.length === request.limit || looks === LIMITS.listExamined)) {
      return { executions, next: examined };
    }
    examined = keyOf(row);
    looks += 1;
    const summary = readSummary(row.summary);
    if (isFound(row, summary, request)) executions.push(summaryOf(row, summary));
  }
  return { executions, next: null };
}

function isFound({ id, workflow, state }: Row, { attributes }: StoredSummary, request: ListRequest): boolean {
  const wanted = Object.entries(request.attributes);
  return (
    (request.workflow ?? workflow) === workflow &&
    (request.state ?? state) === state &&
    id.startsWith(request.idPrefix ?? "") &&
    wanted.every(([name, text]) => Object.hasOwn(attributes, name) && String(attributes[name]) === text)
  );
}

function summaryOf({ id, workflow, state, startedAt }: Row, { version, endedAt, code, attributes }: StoredSummary) {
  return {
    id,
    workflow,
    ...(version !== undefined && { version }),
    state,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(code !== undefined && { code }),
    attributes,
  };
}

/** The index that leaves the fewest rows to look at. */
function rowsOf(sql: SqlStorage, request: ListRequest): Iterable<Row> {
  const { workflow, state, idPrefix, order } = request;
  const few = idPrefix === undefined ? undefined : rowsOfPrefix(sql, idPrefix);
  if (few !== undefined) {
    const isInRange = rangeTest(request);
    return few.filter(isInRange).sort((a, b) => compareKeys(a, b, order));
  }
  const [attribute] = Object.entries(request.attributes);
  if (attribute !== undefined) return rowsOfAttribute(sql, request, attribute);
  if (workflow === undefined && state === undefined) return rowsByStart(sql, request);
  const streams = [...statesOf(sql)]
    .filter((one) => one.workflow === (workflow ?? one.workflow) && one.state === (state ?? one.state))
    .map((one) => rowsOfState(sql, request, one));
  return merged(streams, request);
}

/** All that have the prefix, in no order; `undefined` where they are many, and other indexes find some soon. */
function rowsOfPrefix(sql: SqlStorage, prefix: string): Row[] | undefined {
  const rows = sql
    .exec(
      `SELECT ${COLUMNS} FROM executions AS e WHERE e.id >= ? AND e.id < ? LIMIT ?`,
      prefix,
      prefix + LAST,
      LIMITS.listSorted + 1,
    )
    .toArray();
  // The cast: the columns are those of `Row`, here and below.
  return rows.length > LIMITS.listSorted ? undefined : (rows as unknown as Row[]);
}

function rangeTest({ after, order, startedAfter = 0, startedBefore = Infinity }: ListRequest): (row: Row) => boolean {
  return (row) =>
    row.startedAt >= startedAfter &&
    row.startedAt < startedBefore &&
    (after === undefined || compareKeys(row, after, order) > 0);
}

function rowsByStart(sql: SqlStorage, request: ListRequest): Iterable<Row> {
  const from = { text: "FROM executions AS e INDEXED BY executions_by_start WHERE true", bindings: [] };
  return read(sql, request, { from, columns: ["e.startedAt", "e.workflow", "e.id"], boundOf: placeOf });
}

function rowsOfAttribute(
  sql: SqlStorage,
  request: ListRequest,
  [name, text]: readonly [string, string],
): Iterable<Row> {
  const from = {
    // The left table of a CROSS JOIN is the outer loop, so the rows come in its order.
    text:
      "FROM attributes AS a CROSS JOIN executions AS e ON e.id = a.id AND e.workflow = a.workflow " +
      "WHERE a.name = ? AND a.value = ?",
    bindings: [name, attributeText(text)],
  };
  return read(sql, request, { from, columns: ["a.startedAt", "a.workflow", "a.id"], boundOf: placeOf });
}

function placeOf({ startedAt, workflow, id }: ListKey): readonly SqlStorageValue[] {
  return [startedAt, workflow, id];
}

interface StateOfWorkflow {
  readonly workflow: string;
  readonly state: string;
}

function rowsOfState(sql: SqlStorage, request: ListRequest, { workflow, state }: StateOfWorkflow): Iterable<Row> {
  const { order } = request;
  const from = {
    text: "FROM executions AS e INDEXED BY executions_by_state WHERE e.workflow = ? AND e.state = ?",
    bindings: [workflow, state],
  };
  const boundOf = (after: ListKey) => {
    // Of its own millisecond a workflow comes as a whole before or after others.
    const isBefore = order === "oldest" ? workflow < after.workflow : workflow > after.workflow;
    const passed = order === "oldest" ? LAST : FIRST;
    const toCome = order === "oldest" ? FIRST : LAST;
    const bound = isBefore ? passed : toCome;
    return [after.startedAt, workflow === after.workflow ? after.id : bound];
  };
  return read(sql, request, { from, columns: ["e.startedAt", "e.id"], boundOf });
}

/**
 * Which states of which workflows there are: a step in the index for each. To look for both at once beyond a pair would
 * read all rows of that workflow, as only the first column of a pair bounds a search.
 */
function* statesOf(sql: SqlStorage): Iterable<StateOfWorkflow> {
  let [next] = nextStates(sql, "workflow > ?", [""]);
  while (next !== undefined) {
    yield next;
    const { workflow, state } = next;
    [next] = nextStates(sql, "workflow = ? AND state > ?", [workflow, state]);
    if (next === undefined) [next] = nextStates(sql, "workflow > ?", [workflow]);
  }
}

function nextStates(sql: SqlStorage, beyond: string, bindings: readonly string[]): readonly StateOfWorkflow[] {
  const statement = `SELECT workflow, state FROM executions INDEXED BY executions_by_state
      WHERE ${beyond} ORDER BY workflow, state LIMIT 1`;
  return sql.exec<{ workflow: string; state: string }>(statement, ...bindings).toArray();
}

/** Where rows are read in the order of an index. */
interface Source {
  readonly from: Clause;
  /** Of the index, the first being the time. */
  readonly columns: readonly string[];
  /** What the columns are compared with, for what comes after a place in the list. */
  readonly boundOf: (after: ListKey) => readonly SqlStorageValue[];
}

/** Read row by row, within this turn. */
function read(sql: SqlStorage, request: ListRequest, source: Source): Iterable<Row> {
  const { from, columns } = source;
  const direction = request.order === "oldest" ? "ASC" : "DESC";
  const order = columns.map((column) => `${column} ${direction}`).join(", ");
  const range = rangeOf(request, source);
  const statement = `SELECT ${COLUMNS} ${from.text}${range.text} ORDER BY ${order}`;
  return sql.exec(statement, ...from.bindings, ...range.bindings) as unknown as Iterable<Row>;
}

/** From where to where: one bound on each side, so that the index serves both. */
function rangeOf({ after, order, startedAfter, startedBefore }: ListRequest, { columns, boundOf }: Source): Clause {
  const [time = ""] = columns;
  const clauses: Clause[] = [];
  if (after !== undefined) {
    const places = columns.map(() => "?").join(", ");
    const compared = `(${columns.join(", ")}) ${order === "oldest" ? ">" : "<"} (${places})`;
    clauses.push({ text: compared, bindings: boundOf(after) });
  }
  const isLow = after !== undefined && order === "oldest";
  const isHigh = after !== undefined && order === "newest";
  if (startedAfter !== undefined && !isLow) clauses.push({ text: `${time} >= ?`, bindings: [startedAfter] });
  if (startedBefore !== undefined && !isHigh) clauses.push({ text: `${time} < ?`, bindings: [startedBefore] });
  return {
    text: clauses.map(({ text }) => ` AND ${text}`).join(""),
    bindings: clauses.flatMap(({ bindings }) => bindings),
  };
}

/** What several streams hold, each of which is in the order of the list, in that order. */
function* merged(streams: readonly Iterable<Row>[], { order }: ListRequest): Iterable<Row> {
  const heads = streams.map((stream) => {
    const rows = stream[Symbol.iterator]();
    return { rows, head: rows.next() };
  });
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const one of heads) {
      if (one.head.done === true) continue;
      if (first === undefined || first.head.done === true) first = one;
      else if (compareKeys(one.head.value, first.head.value, order) < 0) first = one;
    }
    if (first === undefined || first.head.done === true) return;
    yield first.head.value;
    first.head = first.rows.next();
  }
}
