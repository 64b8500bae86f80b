import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { post } from "./post.ts";

/** Twenty steps at once. Each has its own budget and its own backoff: none waits for, wakes or spends another's. */
export const fanOut = defineWorkflow(
  {
    name: "fan-out",
    input: z.object({ tiles: z.int().min(1).max(1_000).default(20) }),
    output: z.object({ rendered: z.array(z.string()), exhausted: z.array(z.string()) }),
  },
  async ({ input, env, step }) => {
    const tiles = Array.from({ length: input.tiles }, (_, index) => tileAt(index));
    const results = await Promise.allSettled(
      // One name serves all: the journal calls them `render-tile`, `render-tile#2`, `render-tile#3`.
      tiles.map(({ name, failures, retryPolicy }) =>
        step.run({ name: "render-tile", retryPolicy }, (context) =>
          post(`${env.FLAKY_URL}/jobs/${name}?failures=${failures}`, context),
        ),
      ),
    );
    // A step whose budget is spent rejects with `StepExhausted`; what the others did is kept.
    const named = (status: "fulfilled" | "rejected") =>
      tiles.filter((_, index) => results[index]?.status === status).map(({ name }) => name);
    return { rendered: named("fulfilled"), exhausted: named("rejected") };
  },
);

/** Fails 0 to 3 times, at a pace of its own. Every tenth tile fails more often than its policy allows. */
function tileAt(index: number) {
  const hopeless = index % 10 === 9;
  return {
    name: `tile-${String(index + 1).padStart(2, "0")}`,
    failures: hopeless ? 100 : index % 4,
    retryPolicy: {
      initialInterval: 200 + 100 * index,
      backoffCoefficient: 1 + (index % 3) / 2,
      maximumAttempts: hopeless ? 3 : 8,
    },
  };
}
