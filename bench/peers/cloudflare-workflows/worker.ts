import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import { pause, type Program } from "../../program.ts";
import { runProgram, type Steps } from "../run-program.ts";

interface Env {
  readonly PROGRAM: Workflow<Program>;
}

/** Its instances are not waited for: they are looked at, this often. */
const LOOK_MS = 2;

export class ProgramWorkflow extends WorkflowEntrypoint<Env, Program> {
  override async run({ payload }: Readonly<WorkflowEvent<Program>>, step: WorkflowStep): Promise<string> {
    const steps: Steps = {
      // The casts: what the programs give can be serialized.
      step: async <T>(name: string, fn: () => Promise<T>) => (await step.do(name, fn as () => Promise<number>)) as T,
      retried: async <T>({ name, attempts, delayMs }: Parameters<Steps["retried"]>[0], fn: () => Promise<T>) => {
        const retries = { limit: attempts - 1, delay: delayMs, backoff: "constant" } as const;
        return (await step.do(name, { retries }, fn as () => Promise<number>)) as T;
      },
    };
    return JSON.stringify(await runProgram(payload, steps));
  }
}

export default {
  async fetch(request: Request, { PROGRAM }: Env): Promise<Response> {
    const instance = await PROGRAM.create({ params: await request.json<Program>() });
    if (new URL(request.url).pathname !== "/run") return Response.json(null);
    for (;;) {
      const { status, output, error } = await instance.status();
      if (status === "complete") return new Response(String(output));
      if (status === "errored" || status === "terminated") {
        return new Response(error?.message ?? status, { status: 500 });
      }
      await pause(LOOK_MS);
    }
  },
};
