import type { State } from "../../../journal/state.ts";
import { waitsOf, type WaitView } from "../../../journal/view.ts";
import type { Failure } from "../../../steps/failure.ts";
import type { RetryReason } from "../../../steps/retry-decision.ts";
import type { ResolvedRetryPolicy } from "../../../steps/retry-policy.ts";
import type { History, OperationHistory, Tries } from "./history.ts";
import { failureText, type Phrase, quote, type Sentence, text, time } from "./phrase.ts";
import { endSentence, pauseSentence } from "./sentence-of-rest.ts";
import type { Past } from "./past.ts";
import { lengthText } from "./time.ts";

const nameOf = ({ name, op }: Pick<OperationHistory, "name" | "op">): Phrase => ({ kind: "name", text: name, op });

/** What an execution is doing, in one sentence: what moves it next, when, and which rule set that time. */
export function sentenceOf({ state, history }: Past): Sentence {
  if (state.started === undefined) return { tone: "quiet", phrases: [text("Nothing is journaled yet.")], others: [] };
  if (state.end !== undefined) return endSentence({ state, history }, state.end);
  if (state.unreadable !== undefined || state.pause !== undefined) return pauseSentence(state);
  const running = runningPhrases(history);
  const waiting = waitsOf(state).map((wait) => waitPhrases(wait, history));
  const [phrases, ...others] = [...running, ...waiting];
  if (phrases === undefined)
    return { tone: "active", phrases: [text("Runs the workflow's code.")], others: notes(state) };
  return { tone: running.length > 0 ? "active" : "waiting", phrases, others: [...others, ...notes(state)] };
}

function notes(state: State): Phrase[][] {
  const { cancelRequestedAt, cancelReason, ending } = state;
  const said: Phrase[][] = [];
  if (ending !== undefined) {
    said.push([text(ending.type === "failed" ? `It will fail with ${ending.code}.` : "It will be cancelled.")]);
  } else if (cancelRequestedAt !== undefined) {
    const reason = cancelReason === undefined ? [] : [text(": "), quote(cancelReason)];
    said.push([text("Its cancellation was requested at "), time(cancelRequestedAt), ...reason, text(".")]);
  }
  return said;
}

function runningPhrases({ operations }: History): Phrase[][] {
  return operations.flatMap((operation) => {
    if (operation.rollback?.status === "running") {
      const { rollback } = operation;
      return [[text("Rolls back "), nameOf(operation), ...attemptPhrases(rollback, operation.policy), text(".")]];
    }
    if (operation.kind !== "step" || operation.status === "waiting" || operation.endedAt !== undefined) return [];
    if (operation.status === "queued") {
      return [[nameOf(operation), text(" is to start as soon as there is room.")]];
    }
    return [[text("Runs "), nameOf(operation), ...attemptPhrases(operation, operation.policy), ...limit(operation)]];
  });
}

function limit({ timeoutMs }: OperationHistory): Phrase[] {
  return [text(timeoutMs === undefined ? "." : `, for at most ${lengthText(timeoutMs)}.`)];
}

/** Which attempt is under way, and since when. */
function attemptPhrases(tries: Tries, policy: ResolvedRetryPolicy | undefined): Phrase[] {
  const since = tries.spans.at(-1)?.from;
  return [
    text(`, ${attemptText(tries.attempts, policy)}`),
    ...(since === undefined ? [] : [text(", since "), time(since)]),
  ];
}

function attemptText(attempt: number, policy: ResolvedRetryPolicy | undefined): string {
  const limitOf = policy?.maximumAttempts;
  return `attempt ${attempt}${limitOf === undefined ? "" : ` of ${limitOf}`}`;
}

function waitPhrases(wait: WaitView, history: History): Phrase[] {
  const { name = "", until } = wait;
  const kind = wait.kind === "callback" ? "callback-result" : wait.kind === "retry" ? "step" : wait.kind;
  const operation = history.operations.findLast((each) => each.kind === kind && each.name === name);
  const named: Phrase = { kind: "name", text: name, op: operation?.op };
  switch (wait.kind) {
    case "retry":
      return operation === undefined ? generic(wait) : retryPhrases(text("Waits for "), operation, operation);
    case "rollback": {
      const step = history.operations.find((each) => each.rollback?.status === "waiting");
      return step?.rollback === undefined
        ? generic(wait)
        : retryPhrases(text("Waits to roll back "), step, step.rollback);
    }
    case "sleep":
      return [text("Sleeps"), ...untilPhrases(until, " until "), text(".")];
    case "signal":
      return [text("Waits for the signal "), named, ...untilPhrases(until, ", at most until "), text(".")];
    case "callback":
      return [
        text("Waits for the answer to the callback "),
        named,
        ...untilPhrases(until, ", at most until "),
        text("."),
      ];
    case "execution": {
      const { execution } = operation ?? {};
      const other: Phrase = execution === undefined ? named : { kind: "execution", execution };
      return [text("Waits for the end of "), other, ...untilPhrases(until, ", at most until "), text(".")];
    }
    case "start":
      return [text("Starts"), ...untilPhrases(until, " at "), text(".")];
    case "run":
    case "delivery":
      return generic(wait);
  }
}

/** As the engine itself says it. */
function generic({ kind, name, until, because }: WaitView): Phrase[] {
  const what = kind === "run" ? [text("Runs its code again")] : [text("Waits for the delivery: "), quote(name ?? kind)];
  return [...what, ...untilPhrases(until, kind === "run" ? " at " : ", again at "), text(` (${because}).`)];
}

function untilPhrases(until: number | undefined, words: string): Phrase[] {
  return until === undefined ? [] : [text(words), time(until)];
}

function retryPhrases(verb: Phrase, operation: OperationHistory, tries: Tries): Phrase[] {
  const { attempts, lastFailure, retryAt } = tries;
  const span = tries.spans.at(-1);
  const delay = retryAt === undefined || span === undefined ? undefined : retryAt - span.from;
  return [
    verb,
    nameOf(operation),
    text(`, ${attemptText(attempts + 1, operation.policy)}`),
    ...untilPhrases(retryAt, ", until "),
    ...(lastFailure === undefined ? [] : becausePhrases(lastFailure, attempts)),
    ...(span?.because === undefined || delay === undefined ? [] : [text(ruleText(span.because, delay))]),
    text("."),
  ];
}

function becausePhrases(failure: Failure, attempt: number): Phrase[] {
  return [text(`, because attempt ${attempt} failed with `), quote(failureText(failure))];
}

/** Which rule set the time of the next attempt. */
export function ruleText(because: RetryReason, delayMs: number): string {
  return because === "retry-after"
    ? ` and the service asked for ${lengthText(delayMs)} (Retry-After)`
    : ` and its policy backs off for ${lengthText(delayMs)}`;
}
