import type { ExecutionSummary, ListFilter } from "../../client/types.ts";
import { showLength } from "../../steps/show-length.ts";
import { drawColumns } from "../draw-columns.ts";
import { counted } from "../describe-entry.ts";
import { toneOfState } from "../draw-view.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { attributesOf, countOf, momentOf, wordOf } from "../read-text.ts";
import { type Command, clientOf, type Session } from "../session.ts";
import { showMoment } from "../show-moment.ts";
import { ORDERS, STATES } from "../states.ts";

const DEFAULT_LIMIT = 50;

export const LIST: Command = {
  summary: "executions, the newest first",
  arguments: [],
  options: {
    workflow: { takes: "WORKFLOW", place: "workflow", meaning: "only those of this workflow" },
    state: { takes: "STATE", place: "state", meaning: `only those in this state: ${STATES.join(", ")}` },
    attribute: { takes: "NAME=VALUE", repeats: true, meaning: "only those with this attribute; may be repeated" },
    "started-after": { takes: "TIME", meaning: "Unix milliseconds, or ISO 8601 with a zone" },
    "started-before": { takes: "TIME", meaning: "likewise" },
    "id-prefix": { takes: "TEXT", meaning: "only those whose id begins so" },
    order: { takes: "ORDER", place: "order", meaning: "newest or oldest first" },
    limit: { takes: "N", meaning: `at most so many: ${DEFAULT_LIMIT} unless told otherwise` },
  },
  run: list,
};

async function list(session: Session) {
  const { terminal, given, isJson } = session;
  const limit = countOf(given.option("limit") ?? String(DEFAULT_LIMIT), "--limit");
  const found: ExecutionSummary[] = [];
  let isMore = false;
  for await (const summary of clientOf(session).list(filterOf(session))) {
    isMore = found.length === limit;
    if (isMore) break;
    found.push(summary);
    if (isJson) terminal.json(summary);
  }
  if (!isJson)
    drawColumns(
      terminal,
      found.map((one) => ({ cells: cellsOf(one), tone: toneOfState(one.state) })),
    );
  terminal.note(isMore ? `${limit} shown, there are more: --limit` : counted(found.length, "execution"));
  return EXIT_CODES.done;
}

function filterOf({ given }: Session): ListFilter {
  const moment = (name: string) => {
    const text = given.option(name);
    return text === undefined ? undefined : momentOf(text, `--${name}`);
  };
  const state = given.option("state");
  const order = given.option("order");
  return {
    workflow: given.option("workflow"),
    state: state === undefined ? undefined : wordOf(state, "--state", STATES),
    attributes: attributesOf(given.options("attribute"), "--attribute"),
    startedAfter: moment("started-after"),
    startedBefore: moment("started-before"),
    idPrefix: given.option("id-prefix"),
    order: order === undefined ? undefined : wordOf(order, "--order", ORDERS),
  };
}

function cellsOf({ workflow, id, state, startedAt, endedAt, code, attributes }: ExecutionSummary): readonly string[] {
  const more = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
  const took = endedAt === undefined ? "" : `took ${showLength(endedAt - startedAt)}`;
  return [
    `${workflow}/${id}`,
    state,
    showMoment(startedAt),
    took,
    [...(code === undefined ? [] : [code]), ...more].join(" "),
  ];
}
