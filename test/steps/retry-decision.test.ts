import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CancelledError,
  DeclaredError,
  HttpRefusal,
  NonRetryableError,
  RetryableError,
  StepExhausted,
  StepInterrupted,
  StepTimeout,
} from "../../src/steps/errors.ts";
import { isInvalidDelay, retryAfter } from "../../src/steps/retry-after.ts";
import { decideRetry, type FailedAttempt, type RetryDecision } from "../../src/steps/retry-decision.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../src/steps/retry-policy.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;

function decide(failed: Partial<FailedAttempt>, policy: RetryPolicy = {}): RetryDecision {
  const attempt = failed.attempt ?? 1;
  return decideRetry(
    { thrown: new Error("no"), charged: attempt, elapsedMs: 0, now: NOW, ...failed, attempt },
    {
      step: "ship",
      policy: resolveRetryPolicy(policy, DEFAULT_RETRY_POLICY),
      maximumRetryAfterMs: HOUR_MS,
      random: () => 0.5,
    },
  );
}

function spentOf(decision: RetryDecision) {
  if (decision.kind !== "spent") throw new Error("The step is not spent.");
  return decision;
}

function retryAtOf(decision: RetryDecision): number {
  if (decision.kind !== "retry") throw new Error("The step is not retried.");
  return decision.retryAt;
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("an ordinary failure", () => {
  it("S11 is retried after the backoff of its own attempt", () => {
    const retries = [1, 2, 3, 7].map((attempt) => decide({ attempt }));
    expect(retries).toEqual(
      [1_000, 2_000, 4_000, 60_000].map((ms) => ({ kind: "retry", retryAt: NOW + ms, because: "backoff" })),
    );
  });

  it("takes the jitter of the policy off the backoff", () => {
    expect(retryAtOf(decide({}, { initialInterval: "10s", jitter: 1 }))).toBe(NOW + 5_000);
  });

  it("S12 spends the step at the first limit reached", () => {
    const policy = { maximumAttempts: 3, maximumDuration: "10s" } as const;
    expect(decide({ attempt: 2, elapsedMs: 9_999 }, policy).kind).toBe("retry");
    expect(spentOf(decide({ attempt: 3, elapsedMs: 100 }, policy)).spent).toBe("attempts");
    expect(spentOf(decide({ attempt: 2, elapsedMs: 10_000 }, policy)).spent).toBe("duration");
  });

  it("S13 counts the attempts charged, and backs off by the attempts made", () => {
    const policy = { maximumAttempts: 3 };
    expect(retryAtOf(decide({ attempt: 5, charged: 2 }, policy))).toBe(NOW + 16_000);
    const spent = spentOf(decide({ attempt: 5, charged: 3, thrown: new StepInterrupted("lost") }, policy));
    expect(spent).toMatchObject({ spent: "attempts", error: { attempts: 5 } });
  });

  it("S14 does not add the next delay before it compares the duration", () => {
    const policy = { initialInterval: "1h", maximumDuration: "10s" } as const;
    expect(retryAtOf(decide({ elapsedMs: 9_999 }, policy))).toBe(NOW + HOUR_MS);
    expect(spentOf(decide({ elapsedMs: 10_000 }, policy)).spent).toBe("duration");
  });

  it("S16 is never retried with one attempt", () => {
    expect(spentOf(decide({}, { maximumAttempts: 1 })).spent).toBe("attempts");
  });

  it("S18 has no limit of attempts where only the duration bounds", () => {
    expect(decide({ attempt: 5_000 }, { maximumDuration: "1 day" }).kind).toBe("retry");
  });

  it("S26, case 17: is also a timeout, an interruption and what cancelled something else", () => {
    for (const thrown of [new StepTimeout("slow"), new StepInterrupted("lost"), new CancelledError("enough")]) {
      expect(decide({ thrown })).toMatchObject({ kind: "retry", because: "backoff" });
    }
  });

  it("case 116: is anything that can be thrown", () => {
    for (const thrown of ["x", null, undefined, { code: 1 }, 5n, () => 5, revokedProxy()]) {
      expect(decide({ thrown })).toMatchObject({ kind: "retry", because: "backoff" });
      const error = spentOf(decide({ thrown, attempt: 20 })).error;
      expect(StepExhausted.is(error)).toBe(true);
      expect(Object.is(error.cause, thrown)).toBe(true);
    }
  });

  it("is retried until the budget is spent, and never after", () => {
    const attempts = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(attempts, attempts, fc.nat(100_000), (maximumAttempts, attempt, elapsedMs) => {
        const decision = decide({ attempt, elapsedMs }, { maximumAttempts, maximumDuration: 50_000 });
        expect(decision.kind === "spent").toBe(attempt >= maximumAttempts || elapsedMs >= 50_000);
      }),
    );
  });
});

describe("a spent step", () => {
  it("S38, S44 throws StepExhausted, which keeps the last failure as its cause alone", () => {
    const thrown = new Error("secret");
    const decision = spentOf(decide({ attempt: 20, thrown }));
    expect(StepExhausted.is(decision.error)).toBe(true);
    expect(decision.error.message).toBe("Workflow Step ship exhausted its retries.");
    expect(decision.error).toMatchObject({ step: "ship", attempts: 20 });
    expect(decision.error.cause).toBe(thrown);
    expect(decision).not.toHaveProperty("retryAt");
    expect(decision.error).not.toHaveProperty("retryAt");
    expect(decision.error).not.toHaveProperty("refusal");
  });

  it("S39 carries the refusal of its last attempt", () => {
    const thrown = retryAfter(1_000, new HttpRefusal(429, "", "SLOW_DOWN"));
    expect(spentOf(decide({ attempt: 20, thrown })).error).toMatchObject({
      refusal: { status: 429, code: "SLOW_DOWN" },
    });
  });
});

describe("a terminal failure", () => {
  it.each([
    ["S45 a declared error", new DeclaredError("SOLD_OUT", {})],
    ["a NonRetryableError", new NonRetryableError("no")],
    ["case 18: a NonRetryableError without a message", new NonRetryableError("")],
    ["an HttpRefusal", new HttpRefusal(404, "")],
    ["S42 another step's exhaustion", new StepExhausted({ step: "pay", attempts: 3 })],
  ])("%s ends the step as itself", (_, thrown) => {
    const decision = decide({ thrown });
    expect(decision).toEqual({ kind: "spent", spent: "terminal", error: thrown });
    expect(spentOf(decision).error).toBe(thrown);
  });

  it("ends the step by a name that the policy lists", () => {
    const thrown = Object.assign(new Error("secret"), { name: "CardDeclined" });
    const decision = spentOf(decide({ thrown }, { nonRetryableErrors: ["SyntaxError", "CardDeclined"] }));
    expect(decision.spent).toBe("terminal");
    expect(NonRetryableError.is(decision.error)).toBe(true);
    expect(decision.error).toMatchObject({ code: "NON_RETRYABLE", cause: thrown });
    expect(decision.error.message).toBe(
      "Workflow Step ship failed with CardDeclined, which its retry policy does not retry.",
    );
    expect(decide({ thrown }, { nonRetryableErrors: ["Card"] }).kind).toBe("retry");
  });

  it("is not looked for in a name that cannot be read", () => {
    const policy = { nonRetryableErrors: ["Error"] };
    const hostile = {
      get name(): string {
        throw new Error("hostile");
      },
    };
    expect(decide({ thrown: hostile }, policy).kind).toBe("retry");
    expect(decide({ thrown: "Error" }, policy).kind).toBe("retry");
    expect(decide({ thrown: new Error("no") }, policy).kind).toBe("spent");
  });

  it("S36 comes before a prescribed delay and before a spent budget", () => {
    const policy = { nonRetryableErrors: ["RetryableError"], maximumAttempts: 1 };
    expect(spentOf(decide({ thrown: retryAfter(1_000) }, policy)).spent).toBe("terminal");
    expect(spentOf(decide({ thrown: new HttpRefusal(404, "") }, { maximumAttempts: 1 })).spent).toBe("terminal");
  });

  it("is none where it is only a cause", () => {
    expect(decide({ thrown: new Error("no", { cause: new NonRetryableError("no") }) }).kind).toBe("retry");
  });
});

describe("a prescribed delay", () => {
  it("S32, case 13: replaces the backoff, without cap, factor or jitter", () => {
    const policy = { initialInterval: "1s", maximumInterval: "30s", maximumAttempts: 5, jitter: 1 } as const;
    const retry = { kind: "retry", because: "retry-after" };
    expect(decide({ thrown: retryAfter(90_000) }, policy)).toEqual({ ...retry, retryAt: NOW + 90_000 });
    expect(decide({ thrown: retryAfter(10), attempt: 4 }, policy)).toEqual({ ...retry, retryAt: NOW + 10 });
    expect(decide({ thrown: retryAfter(0) }, policy)).toEqual({ ...retry, retryAt: NOW });
  });

  it("S29 may come as a RetryableError of any form of delay", () => {
    for (const delay of [60_000, "1m", "60", new Date(NOW + 60_000), "Mon, 15 Jun 2026 12:01:00 GMT"]) {
      expect(retryAtOf(decide({ thrown: new RetryableError("later", { retryAfter: delay }) }))).toBe(NOW + 60_000);
    }
  });

  it("S33 counts: on the last attempt the step is exhausted without waiting", () => {
    const decision = spentOf(decide({ thrown: retryAfter(1_000), attempt: 5 }, { maximumAttempts: 5 }));
    expect(decision.spent).toBe("attempts");
    expect(decision).not.toHaveProperty("retryAt");
    expect(decision.error).not.toHaveProperty("retryAt");
  });

  it("S34, case 13: leaves the next ordinary failure the backoff of its own attempt", () => {
    expect(retryAtOf(decide({ thrown: retryAfter(90_000), attempt: 2 }))).toBe(NOW + 90_000);
    expect(retryAtOf(decide({ attempt: 3 }))).toBe(NOW + 4_000);
  });

  it("S36 is prescribed by the thrown error itself, never by one among its causes", () => {
    const thrown = new Error("no", { cause: retryAfter(90_000) });
    expect(decide({ thrown })).toEqual({ kind: "retry", retryAt: NOW + 1_000, because: "backoff" });
    expect(decide({ thrown: { retryAfter: 90_000 } })).toMatchObject({ because: "backoff" });
  });

  it.each([new RetryableError("later"), retryAfter(null), retryAfter("soon"), retryAfter("-3")])(
    "case 11: is the ordinary backoff where %o prescribes nothing",
    (thrown) => {
      expect(decide({ thrown, attempt: 2 })).toEqual({ kind: "retry", retryAt: NOW + 2_000, because: "backoff" });
    },
  );

  it("case 12: of a past moment retries now, and counts", () => {
    const thrown = retryAfter("Mon, 15 Jun 2026 11:00:00 GMT");
    expect(decide({ thrown })).toEqual({ kind: "retry", retryAt: NOW, because: "retry-after" });
    expect(decide({ thrown, attempt: 20 }).kind).toBe("spent");
  });

  it("S30 is followed up to the bound", () => {
    expect(retryAtOf(decide({ thrown: retryAfter("1h") }))).toBe(NOW + HOUR_MS);
  });

  it.each([
    [HOUR_MS + 1, NOW + HOUR_MS + 1],
    ["2h", NOW + 2 * HOUR_MS],
    ["3601", NOW + 3_601_000],
    [new Date(NOW + HOUR_MS + 1), NOW + HOUR_MS + 1],
    ["Thu, 01 Jan 2300 00:00:00 GMT", Date.UTC(2300, 0)],
    ["99999999999", NOW + 99_999_999_999_000],
  ])("S30, case 12: spends the step at once beyond the bound: %s", (delay, retryAt) => {
    const cause = new HttpRefusal(503, "");
    const decision = spentOf(decide({ thrown: retryAfter(delay, cause) }));
    expect(decision).toMatchObject({ spent: "refused", retryAt });
    expect(decision.error).toMatchObject({ name: "StepExhausted", attempts: 1, retryAt, refusal: { status: 503 } });
  });

  it("S30 beyond the bound still says when, where a limit was reached first", () => {
    const thrown = retryAfter("2h");
    const retryAt = NOW + 2 * HOUR_MS;
    const byAttempts = spentOf(decide({ thrown, attempt: 20 }));
    expect(byAttempts).toMatchObject({ spent: "attempts", retryAt, error: { retryAt } });
    const byDuration = spentOf(decide({ thrown, elapsedMs: 10 }, { maximumDuration: 10 }));
    expect(byDuration).toMatchObject({ spent: "duration", retryAt, error: { retryAt } });
  });
});

describe("a delay that is no time at all", () => {
  it.each([
    ["thrown by the call of retryAfter", thrownBy(() => retryAfter(NaN))],
    ["of a RetryableError", new RetryableError("later", { retryAfter: NaN })],
    ["of a RetryableError, negative", new RetryableError("later", { retryAfter: -1 })],
    ["of a RetryableError, an invalid Date", new RetryableError("later", { retryAfter: new Date(NaN) })],
  ])("S30 is terminal: %s", (_, thrown) => {
    const decision = spentOf(decide({ thrown }));
    expect(decision.spent).toBe("terminal");
    expect(decision.error).toMatchObject({ name: "NonRetryableError", code: "NON_RETRYABLE" });
    expect(decision.error.message).toBe("Workflow Step ship asked to retry after what is not a time.");
    expect(decision.error.cause).toBeInstanceOf(TypeError);
    expect(isInvalidDelay(decision.error.cause)).toBe(true);
  });

  it("is told from any other TypeError, which is retried", () => {
    expect(decide({ thrown: new TypeError("no") }).kind).toBe("retry");
  });
});
