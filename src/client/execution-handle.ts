import type { Command } from "../execution/wire.ts";
import { parseDuration } from "../steps/duration.ts";
import { ExecutionCancelled, ExecutionFailed } from "../steps/outcome-errors.ts";
import { ask } from "./ask.ts";
import { ResultTimeout } from "./errors.ts";
import { checkKey, newId } from "./identifiers.ts";
import { pollOutcome } from "./poll-outcome.ts";
import { readJournal } from "./read-pages.ts";
import type { AnyOutcome, Ref, Transport } from "./transport.ts";
import type { ExecutionHandle, RequestOptions, ResultOptions } from "./types.ts";

/** What a start has told already. */
export interface KnownOfStart {
  readonly created?: boolean;
  readonly outcome?: AnyOutcome;
}

/** The handle of one execution, of whichever workflow. */
export function handleOf(transport: Transport, ref: Ref, known?: KnownOfStart): ExecutionHandle {
  const command =
    (verb: Command) =>
    async (reason?: string, options?: RequestOptions): Promise<void> =>
      void (await ask(transport, verb, { ...ref, ...options, body: { reason } }));
  const awaitOutcome = (options?: ResultOptions) => outcomeOf(transport, ref, options);
  return Object.freeze<ExecutionHandle>({
    id: ref.id,
    ...known,
    awaitOutcome,
    result: async (options) => valueOf(await awaitOutcome(options), ref),
    async signal(name, value, { idempotencyKey: key = newId(), wait = 0, signal } = {}) {
      const until = Date.now() + parseDuration(wait, "wait");
      await ask(transport, "signal", { ...ref, name, value, key: checkKey(key), until, signal });
    },
    status: (options) => ask(transport, "view", { ...ref, ...options }),
    cancel: command("cancel"),
    pause: command("pause"),
    resume: command("resume"),
    terminate: command("terminate"),
    async fork({ id = newId(), before, signal } = {}) {
      return handleOf(transport, await ask(transport, "fork", { ...ref, body: { id, before }, signal }));
    },
    async delete(options) {
      await ask(transport, "delete", { ...ref, ...options });
    },
    journal: (options = {}) => readJournal(transport, ref, options),
  });
}

async function outcomeOf(transport: Transport, ref: Ref, { timeout, signal }: ResultOptions = {}): Promise<AnyOutcome> {
  const until = timeout === undefined ? Infinity : Date.now() + parseDuration(timeout, "timeout");
  const outcome = await pollOutcome(transport, { ...ref, until, lastTryAt: until, signal });
  if (outcome !== undefined) return outcome;
  throw new ResultTimeout(`The execution ${ref.workflow}/${ref.id} did not end within ${timeout}.`);
}

function valueOf(outcome: AnyOutcome, { workflow, id }: Ref): unknown {
  switch (outcome.kind) {
    case "completed":
      return outcome.value;
    case "failed":
      throw new ExecutionFailed(outcome);
    case "cancelled":
      throw new ExecutionCancelled(`The execution ${workflow}/${id} was cancelled.`);
  }
}
