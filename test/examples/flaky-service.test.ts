import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examplePlan, startFlakyService, type FlakyService } from "../../examples/flaky-service.ts";

let service: FlakyService;

beforeEach(async () => {
  service = await startFlakyService({ plan: examplePlan({ retryAfterSeconds: 4 }) });
});

afterEach(() => service.close());

function post(path: string, key: string): Promise<Response> {
  return fetch(`${service.url}${path}`, { method: "POST", headers: { "Idempotency-Key": key }, body: "{}" });
}

describe("the flaky service", () => {
  it("asks to wait in seconds, then until an HTTP date no sooner than promised, then works", async () => {
    const first = await post("/payments/5", "k");
    expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "4"]);
    const second = await post("/payments/5", "k");
    expect(second.status).toBe(429);
    const [hit] = service.ledgers()[0]?.hits.slice(1) ?? [];
    expect(Date.parse(second.headers.get("Retry-After") ?? "")).toBeGreaterThanOrEqual((hit?.at ?? Infinity) + 2_000);
    expect((await post("/payments/5", "k")).status).toBe(200);
  });

  it("plans for each idempotency key by itself", async () => {
    expect((await post("/payments/5", "a")).status).toBe(503);
    expect((await post("/payments/5", "b")).status).toBe(503);
    expect(service.ledgers().map(({ key, hits }) => [key, hits.length])).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
  });

  it("answers every request of one key with the same id", async () => {
    const first = await (await post("/jobs/x", "k")).json();
    const second = await (await post("/jobs/x", "k")).json();
    expect(first).toEqual({ id: expect.any(String) });
    expect(second).toEqual(first);
  });

  it("fails a job as often as it is told to", async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++) statuses.push((await post("/jobs/x?failures=2", "k")).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  it("breaks the first connection of a parcel", async () => {
    await expect(post("/parcels/1", "k")).rejects.toThrow("fetch failed");
    expect(service.ledgers()[0]?.hits).toMatchObject([{ answer: "connection reset" }]);
  });

  it("marks a request that comes before the time it asked for", async () => {
    await post("/payments/5", "k");
    await post("/payments/5", "k");
    expect(service.ledgers()[0]?.hits.map(({ early }) => early)).toEqual([false, true]);
  });

  it("gives its ledgers at /hits without counting that request", async () => {
    await post("/stock/lamp", "k");
    const read = await fetch(`${service.url}/hits`);
    expect(await read.json()).toMatchObject([{ path: "/stock/lamp", key: "k", hits: [{ answer: "200" }] }]);
  });
});
