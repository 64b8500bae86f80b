import {
  defineWorkflow,
  HttpRefusal,
  type FetchResult,
  type OutputOf,
  type Step,
  type WorkflowContext,
} from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

const Stock = z.object({ reserved: z.boolean() });

const fetches = defineWorkflow({ name: "fetches", input: z.object({ sku: z.string() }) }, async ({ input, step }) => {
  const answer = await step.fetch("reserve-stock", `https://shop.example/stock/${input.sku}`, {
    method: "POST",
    body: JSON.stringify(input),
    headers: { "Content-Type": "application/json" },
  });
  expectTypeOf(answer).toEqualTypeOf<FetchResult>();
  expectTypeOf(answer.ok).toEqualTypeOf<boolean>();
  expectTypeOf(answer.headers).toEqualTypeOf<Headers>();
  expectTypeOf(await answer.json()).toEqualTypeOf<unknown>();
  expectTypeOf(await answer.json<{ id: string }>()).toEqualTypeOf<{ id: string }>();
  expectTypeOf(await answer.bytes()).toEqualTypeOf<Uint8Array>();
  await step.fetch(
    { name: "ping", timeout: "5s", retryPolicy: { maximumAttempts: 2 } },
    new URL("https://shop.example"),
  );
  await step.fetch("request", new Request("https://shop.example"), { redirect: "manual", cf: { cacheTtl: 5 } });
  return Stock.parse(await answer.json());
});
expectTypeOf<OutputOf<typeof fetches>>().toEqualTypeOf<{ reserved: boolean }>();

/** A function that has only the context. */
async function priceOf({ step, exhausted, sleepUntil }: WorkflowContext, sku: string): Promise<number | undefined> {
  try {
    return Number(await (await step.fetch("price", `https://shop.example/prices/${sku}`)).text());
  } catch (error) {
    if (HttpRefusal.is(error) && error.status === 404) return undefined;
    if (exhausted(error) && error.retryAt !== undefined) await sleepUntil(error.retryAt);
    expectTypeOf(exhausted(error) && error.refusal?.code).toEqualTypeOf<string | false | undefined>();
    throw error;
  }
}
expectTypeOf(priceOf).returns.resolves.toEqualTypeOf<number | undefined>();

declare const step: Step;
// @ts-expect-error a request is needed
void step.fetch("x");
// @ts-expect-error a timeout in months is none
void step.fetch({ name: "x", timeout: "1 month" }, "https://shop.example");
// @ts-expect-error the body is none
void step.fetch("x", "https://shop.example", { method: "POST", body: { a: 1 } });
