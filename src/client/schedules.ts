import { ask } from "./ask.ts";
import { handleOf } from "./execution-handle.ts";
import { checkKey, newId } from "./identifiers.ts";
import type { Transport } from "./transport.ts";
import type { RequestOptions, Schedules, ScheduleView } from "./types.ts";

/** The schedules, whichever way requests go. */
export function schedulesOver(transport: Transport): Schedules {
  const list = async (options?: RequestOptions): Promise<readonly ScheduleView[]> =>
    (await ask(transport, "schedules", { ...options })).schedules;
  const order = (command: "pause" | "resume") => (schedule: string, options?: RequestOptions) =>
    ask(transport, "order", { schedule, command, body: {}, ...options });
  return Object.freeze<Schedules>({
    list,
    get: async (name, options) => (await list(options)).find((schedule) => schedule.name === name),
    pause: order("pause"),
    resume: order("resume"),
    async trigger(schedule, { idempotencyKey, signal } = {}) {
      // Another try must find what an earlier one has started, so there is a key from the first on.
      const key = checkKey(idempotencyKey ?? newId());
      const { workflow, id, created } = await ask(transport, "trigger", { schedule, key, body: {}, signal });
      // A new key has started nothing before.
      const known = created === undefined ? created : { created: created || idempotencyKey === undefined };
      return handleOf(transport, { workflow, id }, known);
    },
  });
}
