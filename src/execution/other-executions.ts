import { decideTold } from "../journal/delivery.ts";
import type { ExecutionName } from "../journal/execution-name.ts";
import { awaitsNewerEngine } from "../journal/next-wake.ts";
import { decideWatched } from "../journal/watch.ts";
import type { Execution } from "./execution.ts";
import { outcomeViewOf } from "./execution-view.ts";
import { encodeOutcome } from "./outcome.ts";
import type { Refused, ToldRequest, WatchAnswer, WatchRefused } from "./wire.ts";

/** Another execution asks for the end of this one. */
export function watch(execution: Execution, by: ExecutionName): WatchAnswer | WatchRefused {
  const { state, now, journal } = execution;
  const decision = decideWatched(state, by, now);
  if (decision.kind === "refused") return decision;
  if (decision.kind === "entry") execution.keep(decision.entry);
  execution.commit();
  const outcome = outcomeViewOf(journal);
  return outcome === undefined ? { kind: "watched" } : { kind: "ended", outcome };
}

/** Another execution tells its end. */
export async function hear(
  execution: Execution,
  { outcome, parentKey, ...name }: ToldRequest,
): Promise<{ readonly kind: "heard" } | Refused> {
  const { state, now, journal } = execution;
  if (awaitsNewerEngine(state)) {
    return { kind: "refused", code: "UNSUPPORTED", message: "Cannot hear of an end as a newer engine is needed." };
  }
  const encode = (ahead: number) => encodeOutcome(outcome, journal, ahead);
  const entries = decideTold(state, { ...name, parentKey, outcome: encode }, now);
  if (entries.length > 0) execution.take(entries);
  await execution.committed(() => {});
  return { kind: "heard" };
}
