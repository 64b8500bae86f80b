import { defineWorkflow, type OutputOf } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

const byHand = defineWorkflow<{ n: number }, { twice: number }>({ name: "by-hand" }, async ({ input }) => ({
  twice: input.n * 2,
}));
expectTypeOf<OutputOf<typeof byHand>>().toEqualTypeOf<{ twice: number }>();

const inferred = defineWorkflow({ name: "inferred" }, async ({ step }) => ({ x: await step.run("x", () => 1) }));
expectTypeOf<OutputOf<typeof inferred>>().toEqualTypeOf<{ x: number }>();

const inputAlone = defineWorkflow<{ n: number }>({ name: "input-alone" }, async ({ input }) => input.n);
expectTypeOf<OutputOf<typeof inputAlone>>().toEqualTypeOf<unknown>();

const withSchemas = defineWorkflow(
  { name: "with-schemas", output: z.object({ t: z.string() }), signals: { go: z.string() } },
  async ({ awaitSignal }) => ({ t: (await awaitSignal("go")).value }),
);
expectTypeOf<OutputOf<typeof withSchemas>>().toEqualTypeOf<{ t: string }>();

const withDefault = defineWorkflow(
  { name: "with-default", input: z.object({ n: z.number().default(3) }), errors: { NO: z.object({ x: z.string() }) } },
  async ({ input, errors, exhausted, cancelled, step }) => {
    expectTypeOf(input).toEqualTypeOf<{ n: number }>();
    try {
      return await step.run({ name: "s", retryPolicy: { maximumAttempts: 2 }, timeout: "5s" }, () => input.n);
    } catch (error) {
      if (errors.NO.is(error)) expectTypeOf(error.details).toEqualTypeOf<{ x: string }>();
      if (exhausted(error)) expectTypeOf(error.attempts).toEqualTypeOf<number>();
      if (cancelled(error)) throw error;
      throw errors.NO({ x: "y" });
    }
  },
);
expectTypeOf<OutputOf<typeof withDefault>>().toEqualTypeOf<number>();

// @ts-expect-error the return value does not fit the output schema
defineWorkflow({ name: "wrong", output: z.object({ t: z.string() }) }, async () => ({ t: 1 }));
// @ts-expect-error months are no duration
defineWorkflow({ name: "wrong", stepTimeout: "1 month" }, async () => 1);
