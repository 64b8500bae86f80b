import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestRefused, ResultTimeout } from "../../src/client/index.ts";
import { type Answer, document, down, never, problem, type ScriptedServer, scripted, view } from "./scripted-server.ts";

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

/** What comes of a call while time passes as fast as it can. */
async function settled<T>(call: Promise<T>): Promise<{ readonly value?: T; readonly fault?: unknown }> {
  const outcome = call.then(
    (value) => ({ value }),
    (fault: unknown) => ({ fault }),
  );
  let isOver = false;
  void outcome.then(() => (isOver = true));
  for (await vi.advanceTimersByTimeAsync(0); !isOver && vi.getTimerCount() > 0;)
    await vi.advanceTimersToNextTimerAsync();
  return await outcome;
}

function delaysOf({ got }: ScriptedServer): readonly number[] {
  return got.slice(1).map(({ at }, index) => at - (got[index]?.at ?? 0));
}

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
    await settled(server.client.get("order", "o-1").signal("approval" as never, 1 as never));
    const keys = server.got.map(({ headers }) => headers.get("idempotency-key"));
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it.each(["cancel", "pause", "resume", "terminate"] as const)("is a %s: it says what shall be so", async (command) => {
    const server = scripted(...(FALLING_AND_RISING as [Answer]));
    expect(await settled(server.client.get("order", "o-1")[command]())).toEqual({ value: undefined });
    expect(server.got).toHaveLength(3);
  });

  it("is the same fork, by one id", async () => {
    const server = scripted(down, document(200, view({ id: "o-2" })));
    await settled(server.client.get("order", "o-1").fork());
    expect(server.got[0]?.body).toEqual(server.got[1]?.body);
  });

  it("is a deletion: where an earlier try may have done it, nothing left to delete is success", async () => {
    const server = scripted(down, problem(404, "NOT_FOUND"));
    expect(await settled(server.client.get("order", "o-1").delete())).toEqual({ value: undefined });
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
        const decisive = kinds[Math.min(expected - 1, last)];
        expect(value === undefined ? fault : "ok").toEqual(
          decisive === "ok"
            ? "ok"
            : decisive === "down"
              ? expect.any(TypeError)
              : expect.objectContaining({ status: decisive }),
        );
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
    const { fault } = await settled(server.client.get("order", "o-1").result({ signal: controller.signal }));
    expect([fault, Date.now() - START, server.got.length]).toEqual([reason, 50, 1]);
  });

  it("ends at once while it waits for another try", async () => {
    const server = scripted(problem(503, "UNAVAILABLE", { "retry-after": "30" }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    const { signal } = controller;
    const { fault } = await settled(server.client.get("order", "o-1").cancel("x", { signal }));
    expect([fault, Date.now() - START, server.got.length]).toEqual([reason, 50, 1]);
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

describe("a result", () => {
  const NOT_ENDED: Answer = async ({ headers }) => {
    const seconds = Number(/^wait=(\d+)$/.exec(headers.get("prefer") ?? "")?.[1] ?? 0);
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS));
    return await document(202, view(), { "retry-after": "1" })({} as never, {} as never);
  };
  const ENDED = document(200, { kind: "completed", value: ["done"] });
  const waitsOf = ({ got }: ScriptedServer) => got.map(({ headers }) => headers.get("prefer"));

  it("is waited for by requests of a minute each, for as long as it takes", async () => {
    const server = scripted(NOT_ENDED, NOT_ENDED, NOT_ENDED, ENDED);
    expect(await settled(server.client.get("order", "o-1").result())).toEqual({ value: "done" });
    expect(waitsOf(server)).toEqual(Array.from({ length: 4 }, () => "wait=60"));
    expect(Date.now() - START).toBe(180 * SECOND_MS);
  });

  it.each([
    ["2m", 120_000, ["wait=60", "wait=60"]],
    ["90s", 90_000, ["wait=60", "wait=30"]],
    ["2.5s", 2_500, ["wait=2", null, null]],
    [300, 300, [null, null]],
    [0, 0, [null]],
  ] as const)(
    "that does not come within %s is a ResultTimeout then, and not without a look at the end",
    async (timeout, ms, waits) => {
      const server = scripted(NOT_ENDED);
      const { fault } = await settled(server.client.get("order", "o-1").result({ timeout }));
      expect(ResultTimeout.is(fault)).toBe(true);
      expect(String(fault)).toBe(`ResultTimeout: The execution order/o-1 did not end within ${timeout}.`);
      expect(Date.now() - START).toBe(ms);
      expect(waitsOf(server)).toEqual(waits);
    },
  );

  it("that comes in the last moment is no timeout", async () => {
    const server = scripted(NOT_ENDED, ENDED);
    expect(await settled(server.client.get("order", "o-1").result({ timeout: 300 }))).toEqual({ value: "done" });
  });

  it("is not asked for in a hurry where the server does not wait", async () => {
    const server = scripted(document(202, view()), document(202, view()), document(202, view()), ENDED);
    await settled(server.client.get("order", "o-1").result());
    expect(delaysOf(server)).toEqual([SECOND_MS, SECOND_MS, SECOND_MS]);
  });

  it("waits out a network that fails, but not beyond the timeout", async () => {
    const server = scripted(down, down, NOT_ENDED, ENDED);
    expect(await settled(server.client.get("order", "o-1").result({ timeout: "2m" }))).toEqual({ value: "done" });
    const dead = scripted(problem(503, "UNAVAILABLE", { "retry-after": "30" }));
    const { fault } = await settled(dead.client.get("order", "o-1").result({ timeout: "10s" }));
    expect([fault, dead.got.length]).toEqual([expect.objectContaining({ code: "UNAVAILABLE" }), 1]);
  });

  it.each(["1 month", -1, Number.NaN])("is refused with a timeout of %s", async (timeout) => {
    const server = scripted(ENDED);
    const { fault } = await settled(server.client.get("order", "o-1").result({ timeout: timeout as number }));
    expect(String(fault)).toContain("Cannot use timeout as it must");
    expect(server.got).toEqual([]);
  });
});
