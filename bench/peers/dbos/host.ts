import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Program } from "../../program.ts";
import { runProgram, type Steps } from "../run-program.ts";
import { serve } from "../serve.ts";

const MS_A_SECOND = 1_000;

DBOS.setConfig({ name: "bench", systemDatabaseUrl: process.env["POSTGRES_URL"] ?? "", logLevel: "error" });

const steps: Steps = {
  step: (name, fn) => DBOS.runStep(fn, { name }),
  retried: ({ name, attempts, delayMs }, fn) =>
    DBOS.runStep(fn, {
      name,
      retriesAllowed: true,
      intervalSeconds: delayMs / MS_A_SECOND,
      backoffRate: 1,
      maxAttempts: attempts,
    }),
};

const program = DBOS.registerWorkflow((input: Program) => runProgram(input, steps), { name: "program" });

await DBOS.launch();

serve({
  async begin(input) {
    const handle = await DBOS.startWorkflow(program)(input);
    return () => handle.getResult();
  },
});
