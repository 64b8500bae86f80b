import { createClient, ExecutionFailed, RequestRefused } from "stepwell/client";
import type { order } from "./order.ts"; // the type alone: nothing of the workflow's code comes along

const client = createClient({ url: "https://flows.example.com", token: process.env["STEPWELL_TOKEN"] });

export async function buy(cart: string, sku: string): Promise<string> {
  const handle = await client.start<typeof order>("order", { sku, cents: 500 }, { id: `order-${cart}`, wait: "5s" });
  await handle.signal("approval", { approved: true }, { idempotencyKey: `approve-${cart}` });
  try {
    const { tracking } = await handle.result({ timeout: "1m" });
    return tracking;
  } catch (error) {
    if (ExecutionFailed.is(error) && error.code === "OUT_OF_STOCK") return "sold out";
    if (RequestRefused.is(error) && error.status === 409) return "another order has this id";
    throw error; // ResultTimeout, ExecutionCancelled, no network
  }
}
