import { LIMITS } from "../../limits.ts";
import { planPolicy } from "../../steps/attempt-plan.ts";
import { planPicture } from "../../steps/plan-picture.ts";
import { planText } from "../../steps/plan-text.ts";
import { DEFAULT_RETRY_POLICY, resolveRetryPolicy, type RetryPolicy } from "../../steps/retry-policy.ts";
import { checkStepTimeout } from "../../steps/step-options.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { durationOf, jsonOf } from "../read-text.ts";
import { type Command, type Session, valueText } from "../session.ts";
import { asUsage } from "../usage-error.ts";

export const EXPLAIN_POLICY: Command = {
  summary: "the attempts that a retry policy allows: their times, and the longest that they can take",
  arguments: [{ name: "POLICY", place: "other" }],
  options: {
    timeout: { takes: "DURATION", meaning: "of each attempt; 60s unless told otherwise" },
    svg: { meaning: "print the picture as SVG" },
  },
  run: explainPolicy,
};

async function explainPolicy(session: Session) {
  const { terminal, given, isJson } = session;
  const [text = ""] = given.arguments;
  // The cast: it is checked when it is resolved.
  const declared = jsonOf(await valueText(session, text), "POLICY") as RetryPolicy;
  const policy = asUsage(() => resolveRetryPolicy(declared, DEFAULT_RETRY_POLICY, "POLICY"));
  const timeout = durationOf(given.option("timeout") ?? String(LIMITS.attemptTimeoutDefaultMs), "--timeout");
  const plan = planPolicy(
    policy,
    asUsage(() => checkStepTimeout(timeout, "--timeout")),
  );
  if (isJson) terminal.json(plan);
  else if (given.has("svg")) terminal.text(planPicture(plan));
  else terminal.text(planText(plan));
  return EXIT_CODES.done;
}
