import type { NameOf } from "../execution/execution-ref.ts";
import type { StartArguments } from "../execution/outcome-types.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import { parseDuration } from "../steps/duration.ts";
import { ask } from "./ask.ts";
import { handleOf } from "./execution-handle.ts";
import { checkKey, nameOf, newId } from "./identifiers.ts";
import { readList } from "./read-pages.ts";
import type { AnyOutcome, Transport } from "./transport.ts";
import type { Client, ExecutionHandle, StartOptions } from "./types.ts";

/** The client, whichever way its requests go. */
export function clientOver(transport: Transport): Client {
  return Object.freeze<Client>({
    async start<W extends AnyWorkflow>(workflow: W | NameOf<W>, ...rest: StartArguments<W, StartOptions>) {
      const [input, options] = rest;
      return await start(transport, { workflow: nameOf(workflow), input }, options);
    },
    get<W extends AnyWorkflow>(workflow: W | NameOf<W>, id: string) {
      return handleOf(transport, { workflow: nameOf(workflow), id });
    },
    list: (filter = {}) => readList(transport, filter),
  });
}

interface Startable {
  readonly workflow: string;
  readonly input: unknown;
}

async function start(
  transport: Transport,
  { workflow, input }: Startable,
  { id, idempotencyKey, wait = 0, startAt, signal, ...terms }: StartOptions = {},
): Promise<ExecutionHandle> {
  const until = Date.now() + parseDuration(wait, "wait");
  const key = idempotencyKey === undefined ? undefined : checkKey(idempotencyKey);
  // Another try must find what an earlier one has started, so there is an id or a key from the first on.
  const isNew = id === undefined && key === undefined;
  const body = { ...terms, id: isNew ? newId() : id, startAt: startAt?.valueOf() };
  const { created, view } = await ask(transport, "start", { workflow, input, body, key, until, signal });
  const ref = { workflow, id: view.id };
  // The cast: a view has the outcome that its result has.
  const outcome = view.outcome as AnyOutcome | undefined;
  return handleOf(transport, ref, { created: created || isNew, ...(outcome && { outcome }) });
}
