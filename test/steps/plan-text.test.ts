import { describe, expect, it } from "vitest";
import { planPolicy } from "../../src/steps/attempt-plan.ts";
import { planPicture } from "../../src/steps/plan-picture.ts";
import { planText } from "../../src/steps/plan-text.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../src/steps/retry-policy.ts";

const planOf = (declared: RetryPolicy) => planPolicy(resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY), 10_000);

describe("planText", () => {
  it("shows the policy, the attempts with a picture of their times, and what it comes to", () => {
    expect(planText(planOf({ maximumAttempts: 4, jitter: 0.5, nonRetryableErrors: ["A", "B"] }))).toBe(
      [
        "initialInterval     1 s",
        "backoffCoefficient  2",
        "maximumInterval     1 min",
        "maximumAttempts     4",
        "maximumDuration     no bound",
        "jitter              0.5",
        "nonRetryableErrors  A, B",
        "timeout             10 s for each attempt",
        "",
        "attempt  starts after  then waits  with timeouts",
        "      1          0 ms         1 s           0 ms  ●────",
        "      2           1 s         2 s           11 s       ●──────────",
        "      3           3 s         4 s           23 s                  ●──────────────────────",
        "      4           7 s           –           37 s                                         ●",
        "",
        "Where every attempt fails at once: 4 attempts in 7 s, then its attempts are spent.",
        "With all that chance may take off: 4 attempts in 3.503 s, then its attempts are spent.",
        "Where every attempt runs into its timeout: 4 attempts in 47 s, then its attempts are spent.",
        "Worst case without chance: spent after 47 s.",
        "A Retry-After takes the place of one delay, and a pause stops the time.",
      ].join("\n"),
    );
  });

  it("leaves out rows in the middle where there are many, and says how many", () => {
    const lines = planText(planOf({ initialInterval: "10s", maximumDuration: "1h" })).split("\n");
    const rows = lines.slice(lines.indexOf("") + 2, lines.lastIndexOf(""));
    expect(rows).toHaveLength(25);
    expect(rows[21]?.trim()).toBe("… 39 more …");
    // Attempts that time out are fewer.
    expect(rows.at(-1)).toMatch(/^ +63 +1 h +– +– +●$/);
    expect(lines.at(-4)).toBe("Where every attempt fails at once: 63 attempts in 1 h, then its time is spent.");
  });

  it("says of a policy without an end in sight that there are more", () => {
    const text = planText(planOf({ initialInterval: 0, maximumDuration: "365d" }));
    expect(text).toContain("fails at once: more than 1000 attempts, the last of these after 0 ms.");
    expect(text).toContain("maximumAttempts     no bound\nmaximumDuration     365 d");
  });

  it("counts one attempt as one", () => {
    expect(planText(planOf({ maximumAttempts: 1 }))).toContain("1 attempt in 0 ms, then its attempts are spent");
  });
});

describe("planPicture", () => {
  it("draws a dot for each attempt, and a line for each way that it may go", () => {
    const picture = planPicture(planOf({ maximumAttempts: 4 }));
    expect(picture.match(/<circle/g)).toHaveLength(4);
    expect(picture).toContain('aria-label="Attempts over time: 4 within 47 s"');
    expect(picture.match(/fill="none"/g)).toHaveLength(3);
    expect(picture).not.toContain("dotted");
    expect(picture).not.toContain("NaN");
  });

  it("has a dotted line where chance may take something off", () => {
    expect(planPicture(planOf({ maximumAttempts: 4, jitter: 1 }))).toContain(
      "dotted: with all that chance may take off",
    );
  });

  it("draws no dots that could not be told apart", () => {
    expect(planPicture(planOf({ maximumAttempts: 1_000 }))).not.toContain("<circle");
  });

  it("is told what it holds by nothing that could be markup", () => {
    const picture = planPicture(planOf({ maximumAttempts: 2, nonRetryableErrors: ["<script>"] }));
    expect(picture).not.toContain("script");
  });
});
