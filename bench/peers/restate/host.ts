import { randomUUID } from "node:crypto";
import * as restate from "@restatedev/restate-sdk";
import * as clients from "@restatedev/restate-sdk-clients";
import { freePort } from "../../../examples/demo/processes.ts";
import type { Program } from "../../program.ts";
import { runProgram, type Steps } from "../run-program.ts";
import { serve } from "../serve.ts";

const program = restate.workflow({
  name: "program",
  handlers: {
    run: async (context: restate.WorkflowContext, input: Program) => {
      const steps: Steps = {
        step: (name, fn) => context.run(name, fn),
        retried: ({ name, attempts, delayMs }, fn) =>
          context.run(name, fn, {
            maxRetryAttempts: attempts,
            initialRetryInterval: delayMs,
            maxRetryInterval: delayMs,
            retryIntervalFactor: 1,
          }),
      };
      return await runProgram(input, steps);
    },
  },
});

const port = await freePort();
await restate.serve({ services: [program], port });
const registered = await fetch(`${process.env["RESTATE_ADMIN_URL"]}/deployments`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ uri: `http://127.0.0.1:${port}`, force: true }),
});
if (!registered.ok) throw new Error(`The server refused the service: ${await registered.text()}`);

const client = clients.connect({ url: process.env["RESTATE_INGRESS_URL"] ?? "" });

serve({
  async begin(input) {
    const execution = client.workflowClient<typeof program>({ name: "program" }, randomUUID());
    await execution.workflowSubmit(input);
    return () => execution.workflowAttach();
  },
});
