import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

declare function book(kind: string, city: string, key: string): Promise<{ bookingId: string }>;
declare function unbook(id: string, key?: string): Promise<void>;

defineWorkflow(
  { name: "trip", input: z.object({ city: z.string() }), errors: { NO_HOTEL: z.object({ city: z.string() }) } },
  async ({ input, step, errors, exhausted }) => {
    const flight = await step.run(
      "book-flight",
      ({ idempotencyKey }) => book("flight", input.city, idempotencyKey),
      (value, { idempotencyKey, attempt }) => {
        expectTypeOf(value).toEqualTypeOf<{ bookingId: string }>();
        expectTypeOf(attempt).toEqualTypeOf<number>();
        return unbook(value.bookingId, idempotencyKey);
      },
    );
    expectTypeOf(flight).toEqualTypeOf<{ bookingId: string }>();
    try {
      const hotel = await step.run(
        { name: "book-hotel", timeout: "30s" },
        ({ idempotencyKey }) => book("hotel", input.city, idempotencyKey),
        (value) => unbook(value.bookingId),
      );
      const count = await step.run(
        "count",
        () => 1,
        (value) => expectTypeOf(value).toEqualTypeOf<number>(),
      );
      expectTypeOf(count).toEqualTypeOf<number>();
      return { flight: flight.bookingId, hotel: hotel.bookingId };
    } catch (error) {
      if (exhausted(error)) throw errors.NO_HOTEL({ city: input.city });
      throw error;
    }
  },
);

defineWorkflow({ name: "wrong" }, async ({ step }) => {
  const undo = (value: string) => value;
  // @ts-expect-error the rollback takes what the step completes with
  await step.run("wrong", (): number => 1, undo);
  // @ts-expect-error a rollback is a function
  await step.run("wrong", () => 1, "undo");
});
