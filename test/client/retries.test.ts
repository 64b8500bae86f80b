import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestRefused } from "../../src/client/index.ts";
import { settled } from "../support/virtual-time.ts";
import { type Answer, delaysOf, document, down, never, problem, scripted, view } from "./scripted-server.ts";

const SECOND_MS = 1_000;
const TRIES = 5;
/** Each delay without the half that chance may take. */
const DELAYS_MS = [200, 400, 800, 1_600];

const START = Date.UTC(2026, 10, 30, 12);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

const FALLING_AND_RISING: Answer[] = [down, problem(503, "UNAVAILABLE"), document(202, view())];

describe("a request that gets no answer", () => {
  it("is made again after growing delays, and given up after the fifth try with what the network said", async () => {
    const server = scripted(down);
    const { fault } = await settled(server.client.get("order", "o-1").status());
    expect(fault).toEqual(new TypeError("fetch failed"));
    const delays = delaysOf(server);
    expect(delays).toHaveLength(TRIES - 1);
    for (const [index, longest] of DELAYS_MS.entries()) {
      expect(delays[index]).toBeLessThanOrEqual(longest);
      expect(delays[index]).toBeGreaterThanOrEqual(longest / 2);
    }
  });

  it("is given up after 30 seconds, and made again", async () => {
    const server = scripted(never, document(200, view()));
    expect(await settled(server.client.get("order", "o-1").status())).toMatchObject({ value: { id: "o-1" } });
    const [delay] = delaysOf(server);
    expect(delay).toBeGreaterThanOrEqual(30 * SECOND_MS);
    expect(delay).toBeLessThanOrEqual(30 * SECOND_MS + 200);
  });

  it("has the time that it was asked to wait for besides", async () => {
    const server = scripted(never, document(200, { kind: "cancelled" }));
    await settled(server.client.get("order", "o-1").awaitOutcome());
    expect(server.got[0]?.headers.get("prefer")).toBe("wait=60");
    expect(delaysOf(server)[0]).toBeGreaterThanOrEqual(90 * SECOND_MS);
  });

  it("is made again where the answer breaks off", async () => {
    const cut: Answer = () =>
      new Response('{"id":"o-', { headers: { "content-type": "application/vnd.stepwell+json" } });
    const server = scripted(cut, document(200, view()));
    expect(await settled(server.client.get("order", "o-1").status())).toMatchObject({ value: { id: "o-1" } });
  });

  it("leaves no timer behind", async () => {
    const server = scripted(down, document(200, view()));
    await settled(server.client.get("order", "o-1").status());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("what is made again", () => {
  it("S74: is the same start, by the id that the client has given", async () => {
    const server = scripted(...([...FALLING_AND_RISING.slice(0, 2), document(200, view())] as [Answer]));
    const { value } = await settled(server.client.start("order", { cents: 5n }));
    const bodies = server.got.map(({ body }) => body as { readonly id: string });
    expect(bodies).toHaveLength(3);
    expect(bodies[0]?.id).toMatch(/-7/);
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
    // The answer to an earlier try was lost: 200 does not say that somebody else has started it.
    expect(value?.created).toBe(true);
  });

  it("S74: is the same start, by the key that was given", async () => {
    const server = scripted(down, document(201, view()));
    await settled(server.client.start("order", 1, { idempotencyKey: "click-1" }));
    expect(server.got.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["click-1", "click-1"]);
  });

  it("S75: is the same signal, by one key", async () => {
    const server = scripted(...(FALLING_AND_RISING as [Answer]));
    await settled(server.client.get("order", "o-1").signal("approval" as never, 1));
    const keys = server.got.map(({ headers }) => headers.get("idempotency-key"));
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it.each(["cancel", "pause", "resume", "terminate"] as const)("is a %s: it says what shall be so", async (command) => {
    const server = scripted(...(FALLING_AND_RISING as [Answer]));
    expect(await settled(server.client.get("order", "o-1")[command]())).toMatchObject({ value: undefined });
    expect(server.got).toHaveLength(3);
  });

  it("is the same fork, by one id", async () => {
    const server = scripted(down, document(200, view({ id: "o-2" })));
    await settled(server.client.get("order", "o-1").fork());
    expect(server.got[0]?.body).toEqual(server.got[1]?.body);
  });

  it("is a deletion: where an earlier try may have done it, nothing left to delete is success", async () => {
    const server = scripted(down, problem(404, "NOT_FOUND"));
    expect(await settled(server.client.get("order", "o-1").delete())).toMatchObject({ value: undefined });
    const absent = scripted(problem(404, "NOT_FOUND"));
    expect((await settled(absent.client.get("order", "o-1").delete())).fault).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a refusal", () => {
  it.each([
    [408, "SLOW"],
    [425, "EARLY"],
    [429, "SIGNAL_LIMIT"],
    [502, "BAD_GATEWAY"],
    [503, "UNAVAILABLE"],
    [504, "TIMEOUT"],
  ])("that may pass (%d) is met with another try, and thrown after the fifth", async (status, code) => {
    const passing = scripted(problem(status, code), document(200, view()));
    expect(await settled(passing.client.get("order", "o-1").status())).toMatchObject({ value: { id: "o-1" } });
    const lasting = scripted(problem(status, code));
    expect((await settled(lasting.client.get("order", "o-1").status())).fault).toMatchObject({ status, code });
    expect(lasting.got).toHaveLength(TRIES);
  });

  it.each([400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 500, 501])(
    "that will not pass (%d) is thrown at once",
    async (status) => {
      const server = scripted(problem(status, "REFUSED"));
      const { fault } = await settled(server.client.start("order", 1));
      expect(RequestRefused.is(fault) && fault.status).toBe(status);
      expect(server.got).toHaveLength(1);
    },
  );

  it.each([
    ["seconds", "7", 7 * SECOND_MS],
    ["a moment", new Date(START + 9 * SECOND_MS).toUTCString(), 9 * SECOND_MS],
    ["zero", "0", 0],
    ["a moment that has passed", new Date(START - SECOND_MS).toUTCString(), 0],
    ["a negative number", "-7", 0],
    ["a fraction", "1.5", 0],
    ["a number in another notation", "1e3", 0],
    ["a moment in another notation", "2026-11-30T12:00:09Z", 0],
  ])("is not met with another try before its Retry-After: %s", async (_name, after, ms) => {
    const server = scripted(problem(503, "UNAVAILABLE", { "retry-after": after }), document(200, view()));
    await settled(server.client.get("order", "o-1").status());
    const [delay] = delaysOf(server);
    expect(delay).toBeGreaterThanOrEqual(Math.max(ms, 100));
    expect(delay).toBeLessThanOrEqual(Math.max(ms, 200));
  });

  it("whose Retry-After is over a minute is thrown at once, and says how long", async () => {
    const server = scripted(problem(429, "TOO_MANY", { "retry-after": "61" }));
    const { fault } = await settled(server.client.get("order", "o-1").status());
    expect(fault).toMatchObject({ status: 429, retryAfterMs: 61 * SECOND_MS });
    expect(server.got).toHaveLength(1);
  });
});

describe("whatever a server answers", () => {
  const refusals = fc.constantFrom(408, 409, 422, 429, 500, 503);
  const answers = fc.array(fc.oneof(fc.constant("down"), refusals, fc.constant("ok")), { minLength: 1, maxLength: 8 });

  it("is asked at most five times, never again after an answer or a refusal, and never twice in the same moment", async () => {
    const passing = new Set<unknown>(["down", 408, 429, 503]);
    const answerOf = (kind: string | number): Answer => {
      if (kind === "ok") return document(200, view());
      return typeof kind === "number" ? problem(kind, "REFUSED") : down;
    };
    await fc.assert(
      fc.asyncProperty(answers, async (kinds) => {
        const server = scripted(...(kinds.map(answerOf) as [Answer]));
        const { fault, value } = await settled(server.client.get("order", "o-1").status());
        const last = kinds.length - 1;
        const first = kinds.findIndex((kind) => !passing.has(kind));
        const expected = first === -1 ? TRIES : Math.min(first + 1, TRIES);
        expect(server.got).toHaveLength(expected);
        const shown = value === undefined ? (RequestRefused.is(fault) ? fault.status : "down") : "ok";
        expect(shown).toBe(kinds[Math.min(expected - 1, last)]);
        expect(delaysOf(server).every((delay) => delay >= 100)).toBe(true);
      }),
    );
  });
});

describe("a request whose signal aborts", () => {
  const reason = new Error("not needed any more");

  it("is not sent where the signal has aborted before", async () => {
    const server = scripted(document(200, view()));
    const { fault } = await settled(server.client.start("order", 1, { signal: AbortSignal.abort(reason) }));
    expect([fault, server.got.length]).toEqual([reason, 0]);
  });

  it("ends at once while it waits for an answer, and is not made again", async () => {
    const server = scripted(never);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    const { fault, at } = await settled(server.client.get("order", "o-1").result({ signal: controller.signal }));
    expect([fault, at - START, server.got.length]).toEqual([reason, 50, 1]);
  });

  it("ends at once while it waits for another try", async () => {
    const server = scripted(problem(503, "UNAVAILABLE", { "retry-after": "30" }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    const { signal } = controller;
    const { fault, at } = await settled(server.client.get("order", "o-1").cancel("x", { signal }));
    expect([fault, at - START, server.got.length]).toEqual([reason, 50, 1]);
  });

  it("leaves nothing on a signal that outlives it", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const server = scripted(down, down, document(200, view()));
    await settled(server.client.get("order", "o-1").status({ signal }));
    const types = (spy: typeof added | typeof removed) => spy.mock.calls.filter(([type]) => type === "abort").length;
    expect(types(added)).toBeGreaterThan(0);
    expect(types(removed)).toBe(types(added));
  });
});
