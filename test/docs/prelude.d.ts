// What the pages name without saying where it is from: their reader knows, or need not know.
import type { StepContext, Workflow } from "stepwell";
import type * as theStepwell from "stepwell";
import type * as z from "zod";
import type * as theOrder from "./order.ts";
import type * as vitest from "vitest";

declare global {
  const stepwell: typeof theStepwell.stepwell;
  const order: typeof theOrder.order;
  const report: Workflow;
  const expect: typeof vitest.expect;
  const SHOP: string;
  const Stock: z.ZodType<{ id: string; reserved: boolean }>;
  const sku: string;
  const token: string;
  const charges: readonly string[];
  function notify(about: unknown): Promise<void>;
  function reserve(sku: string): Promise<{ id: string; reserved: boolean }>;
  function charge(cents: number, context: Pick<StepContext, "idempotencyKey" | "signal">): Promise<{ id: string }>;
  function refund(id: string, context: Pick<StepContext, "idempotencyKey">): Promise<void>;
  function book(context: StepContext): Promise<{ id: string }>;
  function unbook(id: string, context: Pick<StepContext, "idempotencyKey">): Promise<void>;
  function ship(about: unknown): Promise<string>;
  function mail(to: string, text: string, context?: StepContext): Promise<void>;
  namespace Cloudflare {
    interface Env {
      readonly EXECUTIONS: DurableObjectNamespace;
      readonly FLOWS: Fetcher;
      readonly DB: D1Database;
    }
  }
}
