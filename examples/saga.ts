import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { post } from "./post.ts";

/** Books a trip at three services. The last one refuses for good, and what the others booked is given back. */
export const saga = defineWorkflow(
  {
    name: "saga",
    input: z.object({ city: z.string().regex(/^[a-z-]+$/) }),
    output: z.object({ city: z.string() }),
    errors: { NO_CAR: z.object({ city: z.string() }) },
  },
  async ({ input, env, step, errors, exhausted }) => {
    const { city } = input;
    const jobs = `${env.FLAKY_URL}/jobs`;
    // The third argument undoes the step. It is called only if the execution fails or is cancelled, newest step first.
    await step.run(
      "book-flight",
      (context) => post(`${jobs}/book-flight-${city}`, context),
      (_, context) => post(`${jobs}/cancel-flight-${city}`, context),
    );
    // A rollback is retried under its step's policy: this one is refused once.
    await step.run(
      { name: "book-hotel", retryPolicy: { initialInterval: "200ms", maximumAttempts: 5 } },
      (context) => post(`${jobs}/book-hotel-${city}`, context),
      (_, context) => post(`${jobs}/cancel-hotel-${city}?failures=1`, context),
    );
    try {
      await step.run({ name: "book-car", retryPolicy: { initialInterval: "200ms", maximumAttempts: 3 } }, (context) =>
        post(`${jobs}/book-car-${city}?failures=100`, context),
      );
    } catch (error) {
      if (exhausted(error)) throw errors.NO_CAR({ city });
      throw error;
    }
    return { city };
  },
);
