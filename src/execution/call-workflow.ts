import { isPastDeadline } from "../journal/deadline.ts";
import type { StepTerms } from "../journal/entry.ts";
import { keyOwner, operationKey } from "../journal/key-owner.ts";
import { isHalted, type State } from "../journal/state.ts";
import type { ResolvedRetryPolicy } from "../steps/retry-policy.ts";
import { LIMITS } from "../limits.ts";
import { callbackUrls } from "./callback-urls.ts";
import { contextOf } from "./context.ts";
import { findWorkflow, termsOf, type Deployment } from "./deployment.ts";
import { Notes } from "./notes.ts";
import type { Ports } from "./ports.ts";
import { Run, type RunHost } from "./run.ts";
import { definitionOf, type WorkflowDefinition } from "./workflow.ts";

/** A run that can begin, or why there is none. */
export type WorkflowCall =
  | {
      readonly kind: "run";
      readonly run: Run;
      readonly definition: WorkflowDefinition;
      /** Of the workflow: a run that fails is tried again by it. */
      readonly policy: ResolvedRetryPolicy;
      readonly begin: () => void;
    }
  | { readonly kind: "absent"; readonly code: string; readonly message: string };

export interface CallHost extends Omit<RunHost, "warn"> {
  /** Attempts in flight. */
  readonly placesTaken: () => number;
  /** False where the execution's budget of attempts is used up. */
  readonly allowsAttempt: () => boolean;
  /** New steps are queued, to be started one at a time. */
  readonly isCareful: () => boolean;
}

/** Prepares a call of the execution's workflow, in the version that it started with. */
export function callWorkflow(deployment: Deployment, ports: Ports, host: CallHost): WorkflowCall {
  const { journal } = host;
  const { started } = journal.state;
  const definition = started && definitionOf(findWorkflow(deployment, started.workflow, started.version));
  if (started === undefined || definition === undefined) return absent(journal.state);
  const { workflow, id } = started;
  const urls = callbackUrls(deployment, ports.env, started);
  // Code that was given a URL must not come to another end because none can be made now.
  if (urls.kind === "unknown" && journal.state.callbacks.size > 0) {
    return { kind: "absent", code: "NOT_CONFIGURED", message: `${urls.reason}. Configure it and resume.` };
  }
  const run = new Run({
    ...host,
    warn: (code, message) => ports.log("warn", message, { code, workflow, execution: id }),
  });
  const terms = termsOf(deployment, definition);
  const context = contextOf({
    run,
    definition,
    started,
    input: journal.decode(started.input),
    env: ports.env,
    defaults: {
      ...terms,
      isJournaled: isSame(terms, started),
      hasPlace: () => {
        const isFree = host.placesTaken() + run.uncalled < LIMITS.concurrentAttempts;
        return isFree && mayStart(journal.state) && !host.isCareful() && host.allowsAttempt();
      },
    },
    http: {
      fetch: ports.fetch,
      clock: ports.clock,
      maximumValueBytes: deployment.maximumValueBytes,
      trace: started.trace,
    },
    executions: {
      started,
      keyOf: (label) => operationKey(journal.state, label),
      maximumValueBytes: deployment.maximumValueBytes,
      encoded: (text) => journal.encoded(text),
    },
    callbacks: {
      urls,
      owner: keyOwner(started, journal.state.forked),
      callbackAt: (callback) => journal.state.callbacks.get(callback),
      ask: (make) => run.ask(make),
    },
    notes: new Notes({ ...host, run, maximumValueBytes: deployment.maximumValueBytes }),
    log: (level, message, fields) => ports.log(level, message, fields),
  });
  return { kind: "run", run, definition, policy: terms.policy, begin: () => run.begin(() => definition.run(context)) };
}

function mayStart(state: State): boolean {
  return !isHalted(state) && !isPastDeadline(state);
}

function isSame(a: StepTerms, b: StepTerms): boolean {
  return a.timeoutMs === b.timeoutMs && JSON.stringify(a.policy) === JSON.stringify(b.policy);
}

function absent({ started }: State): WorkflowCall {
  const version = started?.version === undefined ? "without a version" : `in version ${started.version}`;
  return {
    kind: "absent",
    code: "VERSION_NOT_DEPLOYED",
    message: `Workflow ${started?.workflow} is not deployed ${version}. Deploy it and resume.`,
  };
}
