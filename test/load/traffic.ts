import type { Request } from "autocannon";
import { AskedExecutions, groupOf, pathOf, type Asked } from "./asked.ts";

/** What requests are about. */
export const KINDS = ["start", "start, wait", "view", "list", "signal", "result, wait", "result", "counts"] as const;
export type Kind = (typeof KINDS)[number];

/** One request of the round that every connection makes again and again. */
export interface Turn {
  readonly kind: Kind;
  /** What may be answered. */
  readonly statuses: readonly number[];
  readonly request: (pair: Pair) => Sent;
  /** What was answered with one of these statuses. */
  readonly answered?: (pair: Pair, document: Document) => string | undefined;
}

interface Sent {
  readonly method?: "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The executions of one round. */
export interface Pair {
  readonly double: Asked;
  readonly add: Asked;
}

type Document = Readonly<Record<string, unknown>>;

const WAIT = { prefer: "wait=30" };

const TURNS: readonly Turn[] = [
  { kind: "start", statuses: [201], request: ({ add }) => start(add), answered: ({ add }) => started(add) },
  {
    kind: "start, wait",
    statuses: [201],
    request: ({ double }) => ({ ...start(double), headers: WAIT }),
    answered: ({ double }, { state, outcome }) => {
      started(double);
      return state === "completed" ? undefined : `answered with ${JSON.stringify({ state, outcome })}`;
    },
  },
  { kind: "view", statuses: [200], request: ({ add }) => ({ path: pathOf(add) }), answered: sameId },
  {
    kind: "list",
    statuses: [200],
    request: ({ add }) => ({
      path: `/v1/executions?workflow=add&state=waiting&attribute.group=${groupOf(add)}&limit=20`,
    }),
  },
  {
    kind: "signal",
    statuses: [202],
    request: ({ add }) => signal(add),
  },
  {
    kind: "result, wait",
    statuses: [200],
    request: ({ add }) => ({ path: `${pathOf(add)}/result`, headers: WAIT }),
    answered: ({ add }, document) => outputFault(add, document),
  },
  {
    kind: "list",
    statuses: [200],
    request: ({ double }) => ({ path: `/v1/executions?order=oldest&idPrefix=${double.id.slice(0, -1)}&limit=50` }),
  },
  {
    kind: "result",
    statuses: [200],
    request: ({ double }) => ({ path: `${pathOf(double)}/result` }),
    answered: ({ double }, document) => outputFault(double, document),
  },
  { kind: "view", statuses: [200], request: ({ add }) => ({ path: pathOf(add) }), answered: sameId },
  { kind: "counts", statuses: [200], request: () => ({ path: "/v1/counts" }) },
];

export function signal(asked: Asked): Sent {
  const headers = { "idempotency-key": `signal-${asked.id}` };
  return { method: "POST", path: `${pathOf(asked)}/signals/number`, headers, body: asked.signal };
}

/** What is wrong with a result, in words. */
export function outputFault({ output }: Asked, { kind, value }: Document): string | undefined {
  const isRight = kind === "completed" && JSON.stringify(value) === JSON.stringify(output);
  return isRight ? undefined : `has the result ${JSON.stringify({ kind, value })} instead of ${JSON.stringify(output)}`;
}

/** What an answer told. */
export interface Told {
  readonly kind: Kind;
  readonly status: number;
  readonly fault?: string;
}

/** The round as autocannon makes it; each answer is told at once. */
export function roundOf(asked: AskedExecutions, tell: (told: Told) => void): Request[] {
  return TURNS.map(({ kind, statuses, request, answered }, index): Request => {
    return {
      setupRequest: (defaults, context) => {
        // The cast: the context is this round's own; autocannon empties it before the first request of the next.
        const round = context as { pair?: Pair };
        if (index === 0) round.pair = { double: asked.double(), add: asked.add() };
        return { ...defaults, ...written(request(pairOf(round))) };
      },
      onResponse: (status, body, context) => {
        const pair = pairOf(context);
        const fault = statuses.includes(status)
          ? answered?.(pair, JSON.parse(body) as Document)
          : `was answered with ${status}: ${body.slice(0, 200)}`;
        tell({
          kind,
          status,
          ...(fault !== undefined && { fault: `${kind} of ${pair.add.id}, ${pair.double.id} ${fault}` }),
        });
      },
    };
  });
}

function pairOf({ pair }: { readonly pair?: Pair }): Pair {
  if (pair === undefined) throw new Error("A round begins with its executions.");
  return pair;
}

function start(asked: Asked): Sent {
  const { workflow, id, input } = asked;
  const body = { id, input, attributes: { group: groupOf(asked) } };
  return { method: "POST", path: `/v1/workflows/${workflow}/executions`, body };
}

function started(asked: Asked): undefined {
  asked.isStarted = true;
  return undefined;
}

function sameId({ add }: Pair, { id }: Document): string | undefined {
  return id === add.id ? undefined : `has the id ${String(id)}`;
}

function written({ method, path, headers, body }: Sent): Request {
  return {
    method: method ?? "GET",
    path,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? "" : JSON.stringify(body),
  };
}
