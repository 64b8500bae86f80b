import { defineWorkflow, stepwell } from "stepwell";
import * as z from "zod";
import { post } from "../../examples/post.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly FLAKY_URL: string;
    }
  }
}

/** Stages of parallel steps that fail, take time and end at different moments, with sleeps between the stages. */
const errand = defineWorkflow(
  {
    name: "errand",
    input: z.object({
      stages: z.array(
        z.object({ steps: z.array(z.object({ name: z.string(), intervalMs: z.int() })), restMs: z.int() }),
      ),
    }),
    output: z.object({ answers: z.int() }),
    // Kills spend attempts too, and the last step is refused until the test has done its worst.
    retryPolicy: { maximumAttempts: 1_000 },
  },
  async ({ input, env, execution, step, sleep }) => {
    const call = (name: string, intervalMs: number) =>
      step.run({ name, retryPolicy: { initialInterval: intervalMs } }, (context) =>
        post(`${env.FLAKY_URL}/${execution.id}/${name}`, context),
      );
    let answers = 0;
    for (const { steps, restMs } of input.stages) {
      const stage = await Promise.all(steps.map(({ name, intervalMs }) => call(name, intervalMs)));
      answers += stage.length;
      await sleep(restMs);
    }
    await call("finish", 500);
    return { answers: answers + 1 };
  },
);

const app = stepwell({ workflows: [errand] });

export class Execution extends app.Execution {}
export class Directory extends app.Directory {}

export default app;
