import {
  createClient,
  type ExecutionHandle,
  ExecutionFailed,
  RequestRefused,
  type ScheduleView,
} from "stepwell/client";
import type { AnyWorkflow, Outcome } from "stepwell";
import { expectTypeOf } from "vitest";
import { order } from "./order.ts";
import { treeSpec } from "./tree.ts";

export async function other(env: Cloudflare.Env) {
  const client = createClient({ fetcher: env.FLOWS });
  const handle = await client.start(order, { sku: "a", cents: 500 });
  expectTypeOf(handle.outcome).toEqualTypeOf<Outcome<typeof order> | undefined>();
  const value: { tracking: string } = await handle.result({ timeout: "1m" });
  await handle.signal("approval", { approved: true }, { idempotencyKey: "k" });
  // @ts-expect-error wrong value
  await handle.signal("approval", { approved: "yes" });
  // @ts-expect-error unknown signal
  await handle.signal("approvals", { approved: true });
  // @ts-expect-error wrong input
  await client.start(order, { sku: 1, cents: 500 });
  // @ts-expect-error months are no duration
  await handle.result({ timeout: "1 month" });
  return value;
}

export async function outcomes(token: string) {
  const client = createClient({ url: "https://flows.example.com", token });
  const outcome = await client.get(order, "order-42").awaitOutcome();
  if (outcome.kind === "failed" && outcome.declared && outcome.code === "OUT_OF_STOCK") {
    expectTypeOf(outcome.details).toEqualTypeOf<{ sku: string }>();
  }
  expectTypeOf((await client.start(treeSpec, {})).result).returns.resolves.toEqualTypeOf<{ sum: number }>();
  // A function that takes handles of whichever workflow.
  const stop = async (handle: ExecutionHandle) => await handle.cancel("not wanted any more");
  await stop(client.get(order, "order-42"));
  expectTypeOf(client.get<AnyWorkflow>("order", "x")).toEqualTypeOf<ExecutionHandle>();
  const counts: Readonly<Record<string, number>> = (await client.get(order, "x").status()).steps;
  for await (const entry of client.get(order, "x").journal({ follow: true })) expectTypeOf(entry.entry).toBeNumber();
  for await (const summary of client.list({ workflow: order, state: "paused", attributes: { express: true } })) {
    expectTypeOf(summary.id).toBeString();
  }
  // @ts-expect-error there is no such state
  client.list({ state: "stopped" });
  return counts;
}

export async function schedules(token: string) {
  const client = createClient({ url: "https://flows.example.com", token });
  const handle = await client.schedules.trigger<typeof order>("nightly", { idempotencyKey: "k" });
  expectTypeOf(await handle.result()).toEqualTypeOf<{ tracking: string }>();
  expectTypeOf(await client.schedules.trigger("nightly")).toEqualTypeOf<ExecutionHandle>();
  const found: ScheduleView | undefined = await client.schedules.get("nightly");
  expectTypeOf(found?.lastStart?.outcome).toEqualTypeOf<"completed" | "failed" | "cancelled" | undefined>();
  const { total, workflows } = await client.counts();
  expectTypeOf(total).toHaveProperty("paused").toBeNumber();
  expectTypeOf(total).not.toHaveProperty("stopped");
  // @ts-expect-error it has no value to send
  await client.schedules.trigger("nightly", { input: 1 });
  return workflows["order"]?.paused ?? (await client.workflows()).length;
}

export function told(error: unknown): unknown {
  if (RequestRefused.is(error)) return [error.status, error.code, error.issues?.[0]?.path];
  return ExecutionFailed.is(error) ? error.details : undefined;
}

// @ts-expect-error it must be told where the Worker is
createClient({ token: "t" });
