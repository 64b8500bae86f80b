import { deriveSpan } from "../journal/draw.ts";
import { childTraceparent, type TraceContext } from "../journal/trace-context.ts";
import { brandOf } from "../steps/brand.ts";
import { NonRetryableError, RetryableError } from "../steps/errors.ts";
import { checkStep } from "../steps/step-options.ts";
import { readAnswer, type AnswerTerms, type FetchAnswer } from "./fetch-answer.ts";
import { sendFollowing } from "./fetch-redirects.ts";
import { readFetchRequest, type FetchRequest } from "./fetch-request.ts";
import { readFetchResult } from "./fetch-result.ts";
import { stepRequest, type StepDefaults } from "./operations.ts";
import type { Fetch } from "./ports.ts";
import type { Request as OperationRequest } from "./request.ts";
import type { StepContext } from "./workflow-context.ts";

/** What the fetches of an execution need besides the terms of its steps. */
export interface FetchTerms extends AnswerTerms {
  readonly fetch: Fetch;
  /** The trace that the execution is part of. */
  readonly trace: TraceContext | undefined;
}

/**
 * A step that sends one HTTP request. What is journaled is plain; the code sees it as a result with the methods of a
 * `Response`, live and on replay alike.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function fetchRequest(args: readonly unknown[], defaults: StepDefaults, terms: FetchTerms): OperationRequest {
  const [step, input, init, ...rest] = args;
  const { name } = checkStep(step);
  if (rest.length > 0) {
    const rule = "step.fetch takes at most three arguments";
    throw new TypeError(`Cannot run step ${name} as ${rule}: current value is ${args.length}`);
  }
  const request = readFetchRequest(input, init);
  const fn = (context: StepContext) => attempt(request, context, terms);
  return { ...stepRequest([step, fn], defaults), read: (value) => readFetchResult(name, value) };
}

async function attempt(request: FetchRequest, context: StepContext, terms: FetchTerms): Promise<FetchAnswer> {
  const { signal } = context;
  try {
    const response = await sendFollowing(request, {
      fetch: terms.fetch,
      signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]),
      idempotencyKey: () => context.idempotencyKey,
      trace: terms.trace && spanOf(terms.trace, context),
    });
    return await readAnswer(response, terms);
  } catch (error) {
    throw failureOf(error, request);
  }
}

/** Each attempt is a span of its own, the same however often its object is lost. */
function spanOf(trace: TraceContext, { attempt: number, key }: StepContext): TraceContext {
  return { ...trace, traceparent: childTraceparent(trace, deriveSpan(key("traceparent"), String(number))) };
}

/** Nothing but what this engine threw is a judgement: all else is the network, or an abort. */
function failureOf(error: unknown, { signal }: FetchRequest): unknown {
  if (brandOf(error) !== undefined) return error;
  if (signal?.aborted === true) {
    const message = "The signal that step.fetch was given is aborted, and stays so for every attempt.";
    return new NonRetryableError(message, { cause: signal.reason });
  }
  return new RetryableError("The service did not answer.", { cause: error });
}
