import type { NameOf } from "../execution/execution-ref.ts";
import type { StartArguments } from "../execution/outcome-types.ts";
import type { AnyWorkflow } from "../execution/workflow.ts";
import { parseDuration } from "../steps/duration.ts";
import { ask } from "./ask.ts";
import { handleOf } from "./execution-handle.ts";
import { checkKey, nameOf, newId } from "./identifiers.ts";
import { readList } from "./read-pages.ts";
import { schedulesOver } from "./schedules.ts";
import type { AnyOutcome, Transport } from "./transport.ts";
import type { Client, ExecutionHandle, StartOptions } from "./types.ts";

/** The client, whichever way its requests go. */
export function clientOver(transport: Transport): Client {
  return Object.freeze<Client>({
    start<W extends AnyWorkflow>(workflow: W | NameOf<W>, ...rest: StartArguments<W, StartOptions>) {
      return start(transport, workflow, rest);
    },
    get<W extends AnyWorkflow>(workflow: W | NameOf<W>, id: string) {
      return handleOf(transport, { workflow: nameOf(workflow), id });
    },
    list: (filter = {}) => readList(transport, filter),
    counts: (options) => ask(transport, "counts", { ...options }),
    workflows: async (options) => (await ask(transport, "workflows", { ...options })).workflows,
    schedules: schedulesOver(transport),
  });
}

async function start(
  transport: Transport,
  named: unknown,
  [input, options = {}]: readonly [input?: unknown, options?: StartOptions],
): Promise<ExecutionHandle> {
  const { id, idempotencyKey, wait = 0, startAt, signal, ...terms } = options;
  const workflow = nameOf(named);
  const until = Date.now() + parseDuration(wait, "wait");
  const key = idempotencyKey === undefined ? undefined : checkKey(idempotencyKey);
  // Another try must find what an earlier one has started, so there is an id or a key from the first on.
  const isNew = id === undefined && key === undefined;
  const body = { ...terms, id: isNew ? newId() : id, startAt: startAt?.valueOf() };
  const started = await ask(transport, "start", { workflow, input, body, key, until, signal });
  // The cast: a view has the outcome that its result has.
  const outcome = started.outcome as AnyOutcome | undefined;
  return handleOf(
    transport,
    { workflow, id: started.id },
    { created: started.created || isNew, ...(outcome && { outcome }) },
  );
}
