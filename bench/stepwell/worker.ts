import { defineWorkflow, stepwell } from "stepwell";
import type { ObjectUsage } from "../contestant.ts";
import { pause, quartersOf, visit, visitSlowly, type Program, type ProgramOf } from "../program.ts";

interface Env extends Cloudflare.Env {
  readonly EXECUTIONS: DurableObjectNamespace<Execution>;
}

/** Without a schema: the program is as old as the Worker. */
const anything = {
  "~standard": { version: 1, vendor: "bench", validate: (value: unknown) => ({ value }) },
} as const;

const program = defineWorkflow({ name: "program", signals: { go: anything } }, async (context) => {
  const { step, awaitSignal, sleepUntil } = context;
  // The cast: the benchmark starts it with nothing else.
  const input = context.input as Program;
  const steps = async (count: number) => {
    const times: number[] = [];
    for (let i = 0; i < count; i += 1) times.push(await step.run("step", async () => Date.now()));
    return times;
  };
  switch (input.kind) {
    case "steps":
      return quartersOf(await steps(input.count));
    case "fetches":
      for (let i = 0; i < input.count; i += 1) await step.run("step", () => visit(input.url));
      return input.count;
    case "parallel": {
      const all = Array.from({ length: input.count }, (_, i) => step.run("step", async () => i));
      return (await Promise.all(all)).length;
    }
    case "retries":
      return await Promise.all(input.delaysMs.map((delayMs, i) => retried(i, delayMs, input)));
    case "paced":
      for (let i = 0; i < input.count; i += 1) {
        await step.run("step", async () => {
          await visit(`${input.url}/${i}`);
          await pause(input.stepMs);
        });
      }
      return input.count;
    case "hopeless": {
      const retryPolicy = policyOf(input.delayMs, input.attempts);
      return await step.run({ name: "step", retryPolicy }, () => visit(input.url)).catch(() => "exhausted");
    }
    case "signalled":
      await steps(input.count);
      await awaitSignal("go");
      return input.count;
    case "sleeper":
      await steps(input.count);
      await sleepUntil(input.untilMs);
      return await step.run("step", () => visit(input.url));
  }

  function retried(i: number, delayMs: number, { url, bodyMs }: ProgramOf<"retries">): Promise<void> {
    const retryPolicy = policyOf(delayMs, 2);
    return step.run({ name: "step", retryPolicy }, () => visitSlowly(`${url}/${i}`, bodyMs));
  }
});

function policyOf(delayMs: number, maximumAttempts: number) {
  return { initialInterval: delayMs, backoffCoefficient: 1, maximumAttempts };
}

const app = stepwell({ workflows: [program], directory: false });

/** The objects of the app, and what the benchmark wants to see of them. */
export class Execution extends app.Execution {
  #alarmsRung = 0;

  override async alarm(info?: { readonly scheduledTime?: number }): Promise<void> {
    this.#alarmsRung += 1;
    await super.alarm(info);
  }

  async usage(): Promise<ObjectUsage> {
    const found = await this.view();
    const bytes = found.kind === "found" ? (found.view.usage?.bytes ?? 0) : 0;
    return { rowsWritten: this.rowsWritten(), alarmsRung: this.#alarmsRung, bytes };
  }

  evict(): void {
    this.ctx.abort("evicted by the benchmark");
  }
}

const INSIDE = /^\/bench\/(evict|usage)\/(.+)$/;

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const [, what, id] = INSIDE.exec(new URL(request.url).pathname) ?? [];
    if (what === undefined) return await app.fetch(request, env, ctx);
    const stub = env.EXECUTIONS.get(env.EXECUTIONS.idFromName(`program/${id}`));
    if (what === "usage") return Response.json(await stub.usage());
    // The call ends with its object.
    await stub.evict().catch(() => {});
    return new Response(null, { status: 204 });
  },
};
