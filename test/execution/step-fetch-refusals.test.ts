import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpRefusal, NonRetryableError, StepExhausted } from "../../src/steps/errors.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import { every } from "../support/hits.ts";
import { runFetching } from "../support/fetching.ts";
import { HttpService, reply, reset, type Answer } from "../support/http-service.ts";

const SECOND = 1_000;
const NOW = Date.UTC(2100, 0, 1);

let service: HttpService;
beforeAll(async () => void (service = await HttpService.start()));
afterAll(() => service.close());

interface Fetched {
  /** When the service was asked, in milliseconds from the start. */
  readonly at: readonly number[];
  readonly value: unknown;
  readonly error: unknown;
  readonly outcome: unknown;
}

async function fetchFrom(answer: Answer, retryPolicy: RetryPolicy = every("1s", 3)): Promise<Fetched> {
  service.answerWith(answer);
  const { seen, probe } = await runFetching(
    async ({ step }) => {
      const result = await step.fetch({ name: "x", retryPolicy }, `${service.url}/x`, { method: "POST" });
      return await result.text();
    },
    { now: NOW },
  );
  const facts = await probe.facts();
  const at = facts.flatMap((fact) => (fact.type === "attempt-started" ? [fact.at - NOW] : []));
  expect(service.received).toHaveLength(at.length);
  return { at, value: seen.value, error: seen.error, outcome: await probe.outcome() };
}

/** The answer to the first request; the next one succeeds. */
const once = (first: Answer): Answer => {
  return (response, received, count) => (count === 1 ? first : reply(200, {}, "done"))(response, received, count);
};

describe("a refusal that another attempt may change", () => {
  it.each([[408], [425], [429], [500], [501], [502], [503], [504], [505], [599]])(
    "is %d, which is retried",
    async (status) => {
      expect(await fetchFrom(once(reply(status)))).toMatchObject({ at: [0, SECOND], value: "done" });
    },
  );

  it("S35 prescribes the time of the next attempt in seconds", async () => {
    expect(await fetchFrom(once(reply(429, { "Retry-After": "120" })))).toMatchObject({ at: [0, 120 * SECOND] });
    expect(await fetchFrom(once(reply(503, { "Retry-After": "0" })))).toMatchObject({ at: [0, 0] });
  });

  it.each([
    ["Fri, 01 Jan 2100 00:30:00 GMT", 1_800 * SECOND],
    ["Friday, 01-Jan-00 00:30:00 GMT", 1_800 * SECOND],
    ["Fri Jan  1 00:30:00 2100", 1_800 * SECOND],
    ["Thu, 31 Dec 2099 23:00:00 GMT", 0],
  ])("S35 prescribes it as an HTTP date: %s", async (date, afterMs) => {
    expect(await fetchFrom(once(reply(503, { "Retry-After": date })))).toMatchObject({ at: [0, afterMs] });
  });

  it.each([["soon"], ["-3"], ["1.5"], ["5m"], ["30s"], ["2 hours"], ["1, 2"], [""], ["2100-01-01T00:30:00Z"]])(
    "prescribes nothing by a header that is neither: %j",
    async (header) => {
      expect(await fetchFrom(once(reply(429, { "Retry-After": header })))).toMatchObject({ at: [0, SECOND] });
    },
  );

  it("S39 leaves its codes on the exhausted step, and the refusal in its causes", async () => {
    const problem = JSON.stringify({ title: "Slow down", code: "RATE_LIMITED" });
    const { error, at, outcome } = await fetchFrom(reply(429, { "Content-Type": "application/problem+json" }, problem));
    expect(at).toEqual([0, SECOND, 2 * SECOND]);
    expect(StepExhausted.is(error)).toBe(true);
    expect(error).toMatchObject({
      message: "Workflow Step x exhausted its retries.",
      attempts: 3,
      refusal: { status: 429, code: "RATE_LIMITED" },
    });
    const { cause } = (error as StepExhausted).cause as Error;
    expect(HttpRefusal.is(cause)).toBe(true);
    expect(cause).toMatchObject({ status: 429, code: "RATE_LIMITED", body: { title: "Slow down" } });
    const details = { step: "x", attempts: 3, refusal: { status: 429, code: "RATE_LIMITED" } };
    expect(outcome).toMatchObject({ kind: "failed", code: "STEP_EXHAUSTED", details });
    expect(JSON.stringify(outcome)).not.toContain("Slow down");
  });

  it.each([
    ["no JSON", "text/plain", '{"code":"RATE_LIMITED"}'],
    ["JSON that is none", "application/json", '{"code":"RATE_LIMITED"'],
    ["a code of other letters", "application/json", '{"code":"rate limited"}'],
    ["a number for a code", "application/json", '{"code":429}'],
    ["an array", "application/json", '["code"]'],
    ["nothing", "application/json", ""],
  ])("S39 has no code where the body is or has %s", async (_, type, body) => {
    const { error } = await fetchFrom(reply(503, { "Content-Type": type }, body), every("1s", 1));
    expect((error as StepExhausted).refusal).toStrictEqual({ status: 503 });
  });

  it("S39 is told of the last attempt alone", async () => {
    const { error } = await fetchFrom((response, _, count) => (count < 3 ? reply(503)(response) : reset(response)));
    expect(StepExhausted.is(error)).toBe(true);
    expect(Object.hasOwn(error as object, "refusal")).toBe(false);
  });

  it("S33 exhausts the step on the last attempt without waiting", async () => {
    const { at, error } = await fetchFrom(reply(503, { "Retry-After": "600" }), every("1s", 2));
    expect(at).toEqual([0, 600 * SECOND]);
    expect(error).toMatchObject({ attempts: 2, refusal: { status: 503 } });
  });

  it("S30 exhausts the step at once beyond the bound, with the time that was asked for", async () => {
    const { at, error } = await fetchFrom(reply(429, { "Retry-After": "7200" }));
    expect(at).toEqual([0]);
    expect(error).toMatchObject({ name: "StepExhausted", refusal: { status: 429 }, retryAt: NOW + 7_200 * SECOND });
  });
});

describe("a refusal that no attempt changes", () => {
  it.each([[400], [401], [402], [403], [404], [405], [409], [410], [418], [422], [424], [426], [451], [499]])(
    "is %d, terminal, whatever it prescribes",
    async (status) => {
      const { at, error, outcome } = await fetchFrom(reply(status, { "Retry-After": "5" }, "no"));
      expect(at).toEqual([0]);
      expect(HttpRefusal.is(error)).toBe(true);
      expect(NonRetryableError.is(error)).toBe(true);
      expect(error).toMatchObject({ status, body: "no" });
      expect(outcome).toMatchObject({ kind: "failed", code: "HTTP_REFUSAL", details: { status } });
    },
  );

  it.each([["application/json"], ["application/problem+json"], ["Application/JSON; charset=utf-8"]])(
    "has a parsed body where its type is %s, and the code of that",
    async (type) => {
      const { error } = await fetchFrom(reply(409, { "Content-Type": type }, '{"code":"SOLD_OUT","left":0}'));
      expect(error).toMatchObject({ status: 409, code: "SOLD_OUT", body: { code: "SOLD_OUT", left: 0 } });
    },
  );

  it.each([
    ["text/plain", '{"code":"SOLD_OUT"}'],
    ["application/json", "<html>"],
    ["application/jsonp", "{}"],
  ])("has its text for a body where the type is %s", async (type, body) => {
    const { error } = await fetchFrom(reply(409, { "Content-Type": type }, body));
    expect(error).toMatchObject({ body });
    expect(Object.hasOwn(error as object, "code")).toBe(false);
  });
});

describe("a service that does not answer", () => {
  it("breaks the connection off, and is tried again", async () => {
    expect(await fetchFrom(once(reset))).toMatchObject({ at: [0, SECOND], value: "done" });
  });

  it("is not there, which exhausts the step without a refusal", async () => {
    const gone = await HttpService.start();
    const { url } = gone;
    await gone.close();
    const { seen } = await runFetching(({ step }) => step.fetch({ name: "x", retryPolicy: every("1s", 2) }, url));
    expect(seen.error).toMatchObject({ name: "StepExhausted", attempts: 2, cause: { name: "RetryableError" } });
    expect((seen.error as StepExhausted).refusal).toBeUndefined();
  });
});
