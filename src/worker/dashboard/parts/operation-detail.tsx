import type { ResolvedRetryPolicy } from "../../../steps/retry-policy.ts";
import type { Failure } from "../../../steps/failure.ts";
import { links } from "../data/place.ts";
import type { OperationHistory, Span, Tries } from "../model/history.ts";
import { SPAN_ENDS } from "../model/phrase.ts";
import { ruleText } from "../model/sentence.ts";
import { lengthText } from "../model/time.ts";
import { Fact } from "./fact.tsx";
import { RetryPlotView } from "./retry-plot-view.tsx";
import { State, Time } from "./texts.tsx";
import { ValueView } from "./value-view.tsx";

const KINDS = {
  step: "Step",
  sleep: "Sleep",
  signal: "Wait for a signal",
  callback: "Callback",
  "callback-result": "Wait for the answer to a callback",
  child: "Start of another execution",
  execution: "Wait for the end of another execution",
  message: "Message to another execution",
} as const;

export interface OperationDetailProps {
  readonly operation: OperationHistory;
  readonly until: number;
  readonly onClose: () => void;
  /** Looks closely at these in the timeline. */
  readonly onZoom: (spans: readonly Span[]) => void;
  /** Forks before it, where that can be done. */
  readonly onFork: (() => void) | undefined;
}

/** Everything that was journaled of one operation. */
export function OperationDetail({ operation, until, onClose, onZoom, onFork }: OperationDetailProps) {
  const { kind, name, status, rollback } = operation;
  const spans = [...operation.spans, ...(rollback?.spans ?? [])];
  return (
    <section class="detail" aria-label={`Details of ${name}`}>
      <div class="bar">
        <h2 title={name}>{name}</h2>
        <button type="button" class="small" onClick={onClose} aria-label="Close the details">
          ✕
        </button>
      </div>
      <p>
        {KINDS[kind]} <span class="quiet">no. {operation.op}</span> <State state={status} />
      </p>
      <OperationFacts operation={operation} />
      {operation.refusal !== undefined && (
        <p class="refusal">
          <strong>{operation.refusal.code}</strong> {operation.refusal.message}
        </p>
      )}
      <Attempts tries={operation} until={until} />
      <RetryPlotView operation={operation} tries={operation} />
      {rollback !== undefined && (
        <>
          <h3>
            Rollback <State state={rollback.status} />
          </h3>
          {rollback.reason !== undefined && <p>{rollback.reason}</p>}
          <Attempts tries={rollback} until={until} />
          <RetryPlotView operation={operation} tries={rollback} />
        </>
      )}
      {operation.given !== undefined && <ValueView label="What it was given" value={operation.given.value} />}
      {operation.value !== undefined && kind !== "execution" && (
        <ValueView label="Value" value={operation.value.value} />
      )}
      {operation.error !== undefined && <ValueView label="What the code saw" value={operation.error.value} />}
      <div class="buttons">
        {spans.length > 0 && (
          <button type="button" onClick={() => onZoom(spans)}>
            Zoom to it
          </button>
        )}
        {onFork !== undefined && (
          <button type="button" onClick={onFork}>
            Fork before this step …
          </button>
        )}
      </div>
    </section>
  );
}

function OperationFacts({ operation }: { operation: OperationHistory }) {
  const { kind, askedAt, endedAt, policy, timeoutMs, dueAt } = operation;
  return (
    <dl class="facts">
      <Fact term="Asked for">
        <Time at={askedAt} />
      </Fact>
      {endedAt !== undefined && kind !== "callback" && <Fact term="Took">{lengthText(endedAt - askedAt)}</Fact>}
      {dueAt !== undefined && (
        <Fact term="Due">
          <Time at={dueAt} />
        </Fact>
      )}
      {timeoutMs !== undefined && <Fact term="Timeout of an attempt">{lengthText(timeoutMs)}</Fact>}
      {policy !== undefined && <Fact term="Retry policy">{policyText(policy)}</Fact>}
      <Execution operation={operation} />
    </dl>
  );
}

function Execution({ operation: { execution, isAdopted } }: { operation: OperationHistory }) {
  if (execution === undefined) return null;
  const { workflow, id } = execution;
  return (
    <Fact term="Execution">
      <a href={links.execution(workflow, id)}>
        {workflow}/{id}
      </a>
      {isAdopted && " (somebody else had started it)"}
    </Fact>
  );
}

/** Every attempt, and why the next one came when it did. */
function Attempts({ tries, until }: { tries: Tries; until: number }) {
  const attempts = tries.spans.filter(({ kind }) => kind === "attempt");
  if (attempts.length === 0) return null;
  return (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map((span) => (
        <li key={span.entry}>
          <Attempt span={span} until={until} next={nextOf(tries.spans, span)} spent={spentAt(tries, span)} />
        </li>
      ))}
    </ol>
  );
}

function nextOf(spans: readonly Span[], span: Span): Span | undefined {
  const next = spans[spans.indexOf(span) + 1];
  return next?.kind === "retry" ? next : undefined;
}

function spentAt(tries: Tries, span: Span): string | undefined {
  return tries.spent !== undefined && tries.spans.at(-1) === span ? SPENT[tries.spent] : undefined;
}

const SPENT = {
  attempts: "its attempts are used up",
  duration: "its time is used up",
  terminal: "no attempt would change this",
  refused: "the service asked for a longer delay than is allowed",
  deadline: "another attempt would come after the deadline",
  journal: "the journal is full",
} as const;

interface AttemptProps {
  readonly span: Span;
  readonly until: number;
  readonly next: Span | undefined;
  readonly spent: string | undefined;
}

function Attempt({ span, until, next, spent }: AttemptProps) {
  const { attempt, from, to, ended, failure } = span;
  const length = lengthText((to ?? until) - from);
  return (
    <>
      <p>
        <strong>Attempt {attempt}</strong>{" "}
        {to === undefined ? `is running for ${length}` : `${SPAN_ENDS[ended ?? "done"]} after ${length}`}
        <span class="quiet">
          , began <Time at={from} form="clock" />
        </span>
      </p>
      {failure !== undefined && <FailureView failure={failure} />}
      {next?.dueAt !== undefined && next.because !== undefined && (
        <p class="quiet">
          {next.to === undefined ? "Is tried again at " : "Tried again at "}
          <Time at={next.dueAt} form="clock" />
          {ruleText(next.because, next.dueAt - next.from).replace(" and", ":")}
        </p>
      )}
      {spent !== undefined && <p class="quiet">Not tried again: {spent}.</p>}
    </>
  );
}

/** What was thrown, and the chain of its causes. */
export function FailureView({ failure: { name, message, code, causes = [] } }: { failure: Failure }) {
  return (
    <div class="failure">
      <p>
        <strong>{name}</strong>
        {code !== undefined && <code> {code}</code>} {message}
      </p>
      {causes.map((cause, index) => (
        <p key={index} class="cause">
          caused by <strong>{cause.name}</strong> {cause.message}
        </p>
      ))}
    </div>
  );
}

function policyText(policy: ResolvedRetryPolicy): string {
  const { initialIntervalMs, backoffCoefficient, maximumIntervalMs, maximumAttempts, maximumDurationMs } = policy;
  const limits = [
    maximumAttempts === undefined ? undefined : `at most ${maximumAttempts} attempts`,
    maximumDurationMs === undefined ? undefined : `for at most ${lengthText(maximumDurationMs)}`,
  ].filter((limit) => limit !== undefined);
  const delays = `${lengthText(initialIntervalMs)} × ${backoffCoefficient} up to ${lengthText(maximumIntervalMs)}`;
  const jitter = policy.jitter === 0 ? "" : `, jitter ${Math.round(policy.jitter * 100)} %`;
  return `${limits.join(", ")}${limits.length === 0 ? "" : "; "}${delays}${jitter}`;
}
