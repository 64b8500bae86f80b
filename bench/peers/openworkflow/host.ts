import { join } from "node:path";
import { OpenWorkflow } from "openworkflow";
import { BackendSqlite } from "openworkflow/sqlite";
import type { Program } from "../../program.ts";
import { runProgram, type Steps } from "../run-program.ts";
import { serve } from "../serve.ts";

/** As its documentation shows it: a client and a worker over one SQLite file. */
const backend = BackendSqlite.connect(join(process.env["STORAGE"] ?? "", "openworkflow.sqlite"));
const client = new OpenWorkflow({ backend });

const program = client.defineWorkflow<Program, unknown>({ name: "program" }, async ({ input, step }) => {
  const steps: Steps = {
    step: (name, fn) => step.run({ name }, fn),
    retried: ({ name, attempts, delayMs }, fn) => {
      const interval = `${delayMs}ms` as const;
      const retryPolicy = {
        initialInterval: interval,
        maximumInterval: interval,
        backoffCoefficient: 1,
        maximumAttempts: attempts,
      };
      return step.run({ name, retryPolicy }, fn);
    },
  };
  return await runProgram(input, steps);
});

await client.newWorker({ concurrency: 50 }).start();

serve({
  async begin(input) {
    const handle = await program.run(input);
    return () => handle.result();
  },
});
