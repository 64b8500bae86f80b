import { defineWorkflow } from "stepwell";
import * as z from "zod";
import { expectTypeOf } from "vitest";

declare function resize(key: string, options: { signal: AbortSignal }): Promise<{ bytes: number }>;

export const thumbnails = defineWorkflow(
  { name: "thumbnails", input: z.object({ keys: z.array(z.string()) }) },
  async ({ input, step, now }) => {
    const sizes = await Promise.all(
      input.keys.map((key) => step.run("resize", ({ signal }) => resize(key, { signal }))),
    );
    const again = await Promise.allSettled(
      input.keys.map((key) =>
        step.run({ name: "resize-again", retryPolicy: { maximumAttempts: 2 } }, ({ signal }) =>
          resize(key, { signal }),
        ),
      ),
    );
    const [number, text] = await Promise.all([step.run("p", () => 1), step.run("q", async () => "x")]);
    expectTypeOf(number).toEqualTypeOf<number>();
    expectTypeOf(text).toEqualTypeOf<string>();
    const failed = again.filter((settled) => settled.status === "rejected").length;
    return { total: sizes.reduce((total, size) => total + size.bytes, 0), failed, at: new Date(now()) };
  },
);
