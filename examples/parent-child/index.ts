import { defineWorkflow, HttpRefusal, stepwell } from "stepwell";
import * as z from "zod";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Where photos are prepared: `POST /{path}` answers with the small one. */
      readonly PHOTOS_URL: string;
    }
  }
}

/** Prepares one photo. It has a journal, retries and an end of its own. */
export const photo = defineWorkflow(
  {
    name: "photo",
    input: z.object({ path: z.string() }),
    output: z.object({ bytes: z.int() }),
    errors: { UNREADABLE: z.object({ status: z.int() }) },
  },
  async ({ input, env, step, errors }) => {
    try {
      const answer = await step.fetch("prepare", `${env.PHOTOS_URL}/${input.path}`, { method: "POST" });
      const small = await answer.bytes();
      return { bytes: small.length };
    } catch (error) {
      if (HttpRefusal.is(error)) throw errors.UNREADABLE({ status: error.status });
      throw error;
    }
  },
);

const Paths = z.array(z.string());

/** Prepares an album, ten photos at a time. What takes too long is cancelled, and the album is ready without it. */
export const album = defineWorkflow(
  {
    name: "album",
    input: z.object({
      paths: Paths.max(1_000),
      within: z.templateLiteral([z.number(), z.enum(["s", "m", "h"])]).default("1h"),
    }),
    output: z.object({ ready: Paths, unreadable: Paths, cancelled: Paths }),
  },
  async ({ input, execution, startExecution, awaitExecution, cancelExecution, setProgress }) => {
    const result = { ready: [] as string[], unreadable: [] as string[], cancelled: [] as string[] };
    await eachOf(input.paths, 10, async (path, index) => {
      // An id of our own makes the child easy to find. Without one it gets one that follows from this execution.
      const child = await startExecution(photo, { path }, { id: `${execution.id}-${index}` });
      const outcome = await awaitExecution(child, { timeout: input.within });
      // A late child would be cancelled at the end of this execution anyway; this does not wait for the others.
      if (outcome.kind === "timeout") await cancelExecution(child, "It took too long.");
      if (outcome.kind === "completed") result.ready.push(path);
      else if (outcome.kind === "failed" && outcome.declared && outcome.code === "UNREADABLE") {
        result.unreadable.push(path);
      } else result.cancelled.push(path);
      setProgress({ ready: result.ready.length, of: input.paths.length });
    });
    return result;
  },
);

/** So many at a time: plain code, which decides on every replay as it did before. */
async function eachOf<T>(
  items: readonly T[],
  limit: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}

const app = stepwell({ workflows: [album, photo] });

/** One Durable Object for each execution, parents and children alike: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends app.Directory {}

export default app;
