import { defineWorkflow } from "../../src/execution/workflow.ts";
import type { RetryPolicy } from "../../src/steps/retry-policy.ts";
import { createTestEngine, type TestEntry } from "../../src/testing/index.ts";
import { journalLanes } from "./journal-lanes.ts";
import type { Lane, Picture } from "./picture.ts";

const TIMEOUT = "10s";
const SIX = { maximumAttempts: 6 };

interface Shown {
  readonly policy: RetryPolicy;
  /** What its lanes are called. */
  readonly name: string;
  /** What it is seen beside; by default the same without the field that is shown. */
  readonly beside?: RetryPolicy;
}

/** One policy for each field, so that the pictures show what the field does. */
const FIELDS: Readonly<Record<string, Shown>> = {
  "maximum-attempts": { policy: SIX, name: "maximumAttempts: 6", beside: { maximumAttempts: 4 } },
  "initial-interval": { policy: { ...SIX, initialInterval: "10s" }, name: "initialInterval: 10s" },
  "backoff-coefficient": { policy: { ...SIX, backoffCoefficient: 1 }, name: "backoffCoefficient: 1" },
  "maximum-interval": { policy: { ...SIX, maximumInterval: "4s" }, name: "maximumInterval: 4s" },
};

type Failing = "at once" | "by its timeout" | "for good, the third time";

/** The journal of a step that always fails. */
async function journalOf(retryPolicy: RetryPolicy, failing: Failing, id = "failing-1"): Promise<readonly TestEntry[]> {
  const failingStep = defineWorkflow({ name: "failing" }, async ({ step }) => {
    await step.run({ name: "call", retryPolicy, timeout: TIMEOUT }, ({ attempt, signal }) => {
      if (failing === "for good, the third time" && attempt === 3) throw named(DECLINED);
      if (failing !== "by its timeout") throw new Error("The service is down.");
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    });
  });
  const engine = createTestEngine({ workflows: [failingStep], patience: 0 });
  const execution = await engine.start(failingStep, undefined, { id });
  await engine.runToEnd();
  return execution.journal;
}

const DECLINED = "CardDeclined";

const named = (name: string) => Object.assign(new Error("The card was declined."), { name });

async function laneOf(name: string, policy: RetryPolicy, failing: Failing): Promise<Lane> {
  const [lane] = journalLanes(await journalOf(policy, failing));
  if (lane === undefined) throw new Error(`Cannot draw ${name} as its run must have a step: current value is none`);
  return { ...lane, name };
}

async function fieldPicture({ policy, name, beside = SIX }: Shown): Promise<Picture> {
  const other = beside === SIX ? "the default" : `maximumAttempts: ${beside.maximumAttempts}`;
  return {
    title: `Attempts that fail at once, and attempts that time out, with ${name} and with ${other}`,
    lanes: await Promise.all([
      laneOf(other, beside, "at once"),
      laneOf(name, policy, "at once"),
      laneOf("… and each times out", policy, "by its timeout"),
    ]),
  };
}

async function durationPicture(): Promise<Picture> {
  const policy: RetryPolicy = { maximumDuration: "1m" };
  return {
    title: "With maximumDuration of one minute: attempts that fail at once, and fewer that time out",
    lanes: await Promise.all([
      laneOf("each fails at once", policy, "at once"),
      laneOf("each times out", policy, "by its timeout"),
    ]),
  };
}

async function nonRetryablePicture(): Promise<Picture> {
  const policy: RetryPolicy = { ...SIX, nonRetryableErrors: [DECLINED] };
  return {
    title: "With nonRetryableErrors: ordinary failures are retried, the error that is named ends the step",
    lanes: await Promise.all([
      laneOf("ordinary failures", policy, "at once"),
      laneOf(`the third is ${DECLINED}`, policy, "for good, the third time"),
    ]),
  };
}

async function defaultPicture(): Promise<Picture> {
  const lanes = await Promise.all([
    laneOf("each fails at once", {}, "at once"),
    laneOf("each times out", {}, "by its timeout"),
  ]);
  return { title: "The twenty attempts of the default policy over time", lanes };
}

/** The same policy in several executions: each draws delays of its own. */
async function jitterPicture(): Promise<Picture> {
  const lanes = ["a", "b", "c", "d"].map(async (id): Promise<Lane> => {
    const [lane] = journalLanes(await journalOf({ ...SIX, jitter: 0.5 }, "at once", id));
    return { name: `execution ${id}`, bars: lane?.bars ?? [], marks: lane?.marks ?? [] };
  });
  const without = laneOf("without jitter", SIX, "at once");
  return {
    title: "Four executions that failed together and are tried again at different times, beside one without jitter",
    lanes: await Promise.all([without, ...lanes]),
  };
}

/** The pictures of `docs/retries.md` about the fields of a policy, by their names. */
export function retryPictures(): Readonly<Record<string, Promise<Picture>>> {
  const fields = Object.entries(FIELDS).map(([name, shown]) => [`retry-${name}`, fieldPicture(shown)] as const);
  return {
    ...Object.fromEntries(fields),
    "retry-default": defaultPicture(),
    "retry-maximum-duration": durationPicture(),
    "retry-jitter": jitterPicture(),
    "retry-non-retryable-errors": nonRetryablePicture(),
  };
}
