import { afterEach, describe, expect, it, vi } from "vitest";
import { examplePlan } from "../../examples/flaky-service.ts";
import { saga } from "../../examples/saga.ts";
import { MemoryHost } from "../support/memory-host.ts";

/** The flaky service without a network: what it was asked, and under which keys. */
function stubService() {
  const plan = examplePlan();
  const requests: { readonly path: string; readonly key: string; readonly status: number }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => {
    const path = new URL(url).pathname.replace("/jobs/", "");
    const hit = requests.filter((request) => request.path === path).length + 1;
    const answer = plan(new URL(url), hit);
    const status = answer.kind === "refuse" ? answer.status : 200;
    requests.push({ path, key: init.headers["Idempotency-Key"] ?? "", status });
    return Response.json({}, { status });
  });
  return requests;
}

afterEach(() => vi.unstubAllGlobals());

describe("the saga of the examples", () => {
  it("gives back the hotel, then the flight, when there is no car", async () => {
    const requests = stubService();
    const host = new MemoryHost({ workflows: [saga], env: { FLAKY_URL: "http://service" } });
    const probe = await host.start(saga, { input: { city: "rome" } });
    await host.runToEnd();
    expect(requests.map(({ path, status }) => `${path} ${status}`)).toEqual([
      "book-flight-rome 200",
      "book-hotel-rome 200",
      "book-car-rome 500",
      "book-car-rome 500",
      "book-car-rome 500",
      "cancel-hotel-rome 500",
      "cancel-hotel-rome 200",
      "cancel-flight-rome 200",
    ]);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(5);
    expect(await probe.outcome()).toMatchObject({ kind: "failed", declared: true, code: "NO_CAR" });
  });
});
