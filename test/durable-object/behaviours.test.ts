import { describe, vi } from "vitest";
import { describeAlarms, describeAlarmBursts } from "../behaviours/alarms.ts";
import { describeAttributes } from "../behaviours/attributes.ts";
import { describeCancellation } from "../behaviours/commands-cancel.ts";
import { describePause, describeCommands } from "../behaviours/commands.ts";
import { describeDeadlinesAndRollbacks } from "../behaviours/deadlines-rollbacks.ts";
import { describeDeadlines } from "../behaviours/deadlines.ts";
import {
  describeDeterministicContext,
  describeForeignAwaits,
  describeReplayedErrors,
} from "../behaviours/determinism-context.ts";
import { describeMismatches } from "../behaviours/determinism-mismatch.ts";
import { describeOrder } from "../behaviours/determinism-order.ts";
import { describeOddThrows } from "../behaviours/exhaustion-odd-throws.ts";
import { describeExhaustion } from "../behaviours/exhaustion.ts";
import { describeLaterStarts } from "../behaviours/later-starts.ts";
import { describePatches } from "../behaviours/patches.ts";
import { describeRetriesOfSeveral } from "../behaviours/retries-of-several.ts";
import { describeRetriesOverWakes } from "../behaviours/retries-over-wakes.ts";
import { describeRetries } from "../behaviours/retries.ts";
import { describeRetryAfter } from "../behaviours/retry-after.ts";
import { describeRollbackAttempts } from "../behaviours/rollbacks-attempts.ts";
import { describeInterruptedRollbacks } from "../behaviours/rollbacks-interrupted.ts";
import { describeRollbacks } from "../behaviours/rollbacks.ts";
import { describeRunFailures } from "../behaviours/run-failures.ts";
import { describeSignalRaces } from "../behaviours/signals-races.ts";
import { describeSignals } from "../behaviours/signals.ts";
import { describeNesting } from "../behaviours/step-context-nesting.ts";
import { describeStepContext } from "../behaviours/step-context.ts";
import { describeStepFetch } from "../behaviours/step-fetch.ts";
import { describeStepPolicies } from "../behaviours/step-declarations-policies.ts";
import { describeStepDeclarations } from "../behaviours/step-declarations.ts";
import { describeSteps } from "../behaviours/steps.ts";
import { describeTimeouts } from "../behaviours/timeouts.ts";
import { describeLargeValues } from "../behaviours/values-large.ts";
import { describeValues, describeRefusedValues } from "../behaviours/values.ts";
import { describeVersions } from "../behaviours/versions.ts";
import { describeSleeps } from "../behaviours/waits-sleep.ts";
import type { MakeHost } from "../support/host.ts";
import { ObjectHost } from "../support/object-host.ts";

const makeHost: MakeHost = (options) => new ObjectHost(options);

// Virtual time is free, but each commit on the way is written to disk: a test with a thousand retries takes its time.
vi.setConfig({ testTimeout: 120_000 });

// Every topic of test/behaviours, as in test/execution: one line for the import, one for the call.
describe("in a Durable Object", () => {
  describeAlarms(makeHost);
  describeAlarmBursts(makeHost);
  describeAttributes(makeHost);
  describeCancellation(makeHost);
  describePause(makeHost);
  describeCommands(makeHost);
  describeDeadlines(makeHost);
  describeDeadlinesAndRollbacks(makeHost);
  describeDeterministicContext(makeHost);
  describeForeignAwaits(makeHost);
  describeReplayedErrors(makeHost);
  describeMismatches(makeHost);
  describeOrder(makeHost);
  describeOddThrows(makeHost);
  describeExhaustion(makeHost);
  describeLaterStarts(makeHost);
  describePatches(makeHost);
  describeRetriesOfSeveral(makeHost);
  describeRetriesOverWakes(makeHost);
  describeRetries(makeHost);
  describeRetryAfter(makeHost);
  describeRollbackAttempts(makeHost);
  describeInterruptedRollbacks(makeHost);
  describeRollbacks(makeHost);
  describeRunFailures(makeHost);
  describeSignalRaces(makeHost);
  describeSignals(makeHost);
  describeNesting(makeHost);
  describeStepContext(makeHost);
  describeStepFetch(makeHost);
  describeStepPolicies(makeHost);
  describeStepDeclarations(makeHost);
  describeSteps(makeHost);
  describeTimeouts(makeHost);
  describeLargeValues(makeHost);
  describeValues(makeHost);
  describeRefusedValues(makeHost);
  describeVersions(makeHost);
  describeSleeps(makeHost);
});
