import { defineWorkflow } from "stepwell";
import { createTestEngine, ExplorationFailed, explore, stepContext, type TestExecution } from "stepwell/testing";
import * as z from "zod";
import { expectTypeOf } from "vitest";

interface Database {
  readonly query: (sql: string) => Promise<unknown>;
}

declare global {
  namespace Cloudflare {
    interface Env {
      readonly LEDGER: Database;
    }
  }
}

declare const database: Database;
declare function ship(sku: string): Promise<string>;

const order = defineWorkflow(
  {
    name: "order",
    input: z.object({ sku: z.string(), cents: z.int().positive(), express: z.boolean().default(false) }),
    output: z.object({ tracking: z.string() }),
    signals: { approval: z.object({ approved: z.boolean() }) },
    errors: { OUT_OF_STOCK: z.object({ sku: z.string() }) },
  },
  async ({ input, step }) => ({ tracking: await step.run("ship", () => ship(input.sku)) }),
);
const reminder = defineWorkflow(
  { name: "reminder", input: z.object({ to: z.email(), days: z.int() }) },
  async ({ input, sleep }) => {
    await sleep(`${input.days} days`);
    return input.to;
  },
);
const plain = defineWorkflow({ name: "plain" }, async () => 7);

export async function test() {
  const engine = createTestEngine({ workflows: [order], now: 0, env: { LEDGER: database } });
  engine.interrupt("charge-card");
  engine.interrupt("charge-card", { attempt: 1, occurrence: 2 });
  const e = await engine.start(order, { sku: "a", cents: 5 }, { id: "o-1" });
  expectTypeOf(e).toEqualTypeOf<TestExecution<typeof order>>();
  e.evict();
  await e.signal("approval", { approved: true });
  // @ts-expect-error unknown signal
  await e.signal("approvals", { approved: true });
  // @ts-expect-error not what the schema takes
  await e.signal("approval", { approved: "yes" });
  const t: string | undefined = e.outcome?.kind === "completed" ? e.outcome.value.tracking : undefined;
  if (e.outcome?.kind === "failed" && e.outcome.declared)
    expectTypeOf(e.outcome.details).toEqualTypeOf<{ sku: string }>();
  expectTypeOf(e.steps.find((s) => s.name === "charge-card")?.attempts).toEqualTypeOf<number | undefined>();
  await engine.advance("1d");
  await engine.runToEnd();
  await engine.start(plain);
  // @ts-expect-error the input is needed
  await engine.start(order);
  await explore(reminder, { to: "a@b.c", days: 2 });
  expectTypeOf(stepContext({ attempt: 3 }).idempotencyKey).toEqualTypeOf<string>();
  return t;
}

export async function exploring() {
  const exploration = await explore(
    order,
    { sku: "a", cents: 5 },
    {
      crashes: "every-commit",
      evictions: "every-delivery",
      seed: 7,
      world: () => ({ charges: [1, 2], env: { LEDGER: database } }),
      scenario: async ({ execution, world }) => {
        expectTypeOf(world.charges).toEqualTypeOf<number[]>();
        await execution.signal("approval", { approved: true });
      },
      check: (execution, world) => {
        expectTypeOf(execution.outcome?.kind).toEqualTypeOf<"completed" | "failed" | "cancelled" | undefined>();
        expectTypeOf(world.charges).toEqualTypeOf<number[]>();
      },
      schedule: ["crash before commit 3", "evict at turn 5", 'complete ["b","a"]'],
    },
  );
  expectTypeOf(exploration.runs).toEqualTypeOf<number>();
  // @ts-expect-error no such fault
  await explore(plain, undefined, { schedule: ["crash at noon"] });
  return (error: unknown) => (error instanceof ExplorationFailed ? error.schedule : []);
}
