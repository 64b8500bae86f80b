// A loop of model and tools, as an author writes it: a prescribed delay that is too long is slept out by the workflow.
import { defineWorkflow } from "stepwell";
import * as z from "zod";

interface Turn {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly args: unknown }[];
}

export const agent = defineWorkflow(
  {
    name: "agent",
    input: z.object({ prompt: z.string() }),
    errors: { TOO_LONG: z.object({ turns: z.number() }) },
  },
  async ({ input, step, errors, exhausted, sleepUntil, setProgress, retryAfter }) => {
    const turns: Turn[] = [{ role: "user", text: input.prompt }];
    for (let count = 1; count <= 10; count += 1) {
      let reply: Turn;
      try {
        reply = await step.run({ name: "think", timeout: "2m" }, async ({ signal, idempotencyKey }) => {
          const headers = { "Idempotency-Key": idempotencyKey };
          const answer = await fetch("https://model.example/turns", { method: "POST", signal, headers });
          if (answer.status === 429) throw retryAfter(answer.headers.get("Retry-After"));
          return await answer.json<Turn>();
        });
      } catch (error) {
        if (!exhausted(error) || error.retryAt === undefined) throw error;
        await sleepUntil(error.retryAt);
        continue;
      }
      turns.push(reply);
      setProgress({ count });
      if (reply.calls === undefined) return { answer: reply.text, turns: count };
      const results = await Promise.all(
        reply.calls.map(async ({ tool, args }): Promise<Turn> => {
          const body = JSON.stringify(args);
          const result = await step.fetch("call-tool", `https://tools.example/${tool}`, { method: "POST", body });
          return { role: "tool", text: await result.text() };
        }),
      );
      turns.push(...results);
    }
    throw errors.TOO_LONG({ turns: 10 });
  },
);
