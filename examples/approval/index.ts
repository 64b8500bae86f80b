import { Hono } from "hono";
import { defineWorkflow, stepwell } from "stepwell";
import * as z from "zod";
import { PAGE } from "./page.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Where messages are posted to, such as the incoming webhook of a chat. */
      readonly CHAT_URL: string;
    }
  }
}

const Decision = z.object({ approved: z.boolean() });

/** Asks a person, by a link, whether an expense is approved. */
export const expense = defineWorkflow(
  {
    name: "expense",
    input: z.object({ who: z.string(), cents: z.int().positive() }),
    output: z.object({ approved: z.boolean() }),
    errors: { NO_DECISION: z.object({ who: z.string() }) },
  },
  async ({ input, env, step, createCallback, errors }) => {
    // What does not fit the schema is refused, and uses nothing up. Nothing runs and nothing is billed while it waits.
    const approval = await createCallback({ name: "approval", schema: Decision, timeout: "3d" });
    await step.run("ask", async ({ idempotencyKey, signal }) => {
      const text = `${input.who} spent ${(input.cents / 100).toFixed(2)}: ${linkFor(approval.url)}`;
      const headers = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
      const response = await fetch(env.CHAT_URL, { method: "POST", headers, body: JSON.stringify({ text }), signal });
      // Nothing of the message is returned, as what a step returns is journaled: whoever has the URL can answer it.
      if (!response.ok) throw new Error(`The chat answered ${response.status}.`);
    });
    const decision = await approval.result();
    if (!decision.received) throw errors.NO_DECISION({ who: input.who });
    return decision.value;
  },
);

/** Behind `#`, so that the URL is in no log of whoever serves or forwards the page. */
function linkFor(callbackUrl: string): string {
  return `${new URL("/approve", callbackUrl).href}#${callbackUrl}`;
}

const app = stepwell({ workflows: [expense] });

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends app.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends app.Directory {}

/** The routes of Stepwell under `/flows`, beside the page on which a person decides. */
const site = new Hono<{ Bindings: Cloudflare.Env }>();
site.get("/approve", (context) => context.html(PAGE));
site.route("/flows", app.router);

export default site;
