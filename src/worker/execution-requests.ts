import { acceptInput, acceptSignal } from "../execution/accept.ts";
import { needsOrigin } from "../execution/callback-urls.ts";
import type { Deployment } from "../execution/deployment.ts";
import { receiverOf } from "../execution/receiver.ts";
import type { Command, CommandAnswer, JournalPage, SignalAnswer, StartAnswer } from "../execution/wire.ts";
import type { WorkflowTerms } from "../execution/workflow.ts";
import type { TraceContext } from "../journal/trace-context.ts";
import { accepted, granted, type Place, workflowNamed } from "./addressed.ts";
import { type Address, ask, type Call, tell } from "./execution-stub.ts";
import { checkIdentifier, executionIdOf } from "./identifiers.ts";
import { Problem } from "./problem.ts";
import { COMMAND_BODY, JOURNAL_QUERY, parseRequest, readStartBody, startTerms } from "./requests.ts";

/**
 * What callers may ask of executions, whichever way they come: by HTTP, or as a client inside the Worker. All of it is
 * checked here, and what is refused is thrown as a {@link Problem}.
 */

/** What stands in what was sent, in whichever form: its values are only made when their turn comes. */
export interface Sent {
  readonly document: unknown;
  /** The value that a part of the document stands for. */
  readonly valueOf: (part: unknown) => unknown;
}

export interface Starting {
  readonly workflow: string;
  /** `{ input?, id?, … }`, see `START_BODY`. */
  readonly sent: Sent;
  readonly key: string | undefined;
  readonly waitMs: number;
  /** Where the request came in, if it came by HTTP. */
  readonly origin?: string;
  readonly trace?: TraceContext | undefined;
}

export async function startExecution(
  place: Place,
  { workflow, sent, key, waitMs, origin, trace }: Starting,
): Promise<StartAnswer> {
  const definition = workflowNamed(place, workflow);
  const { name, version } = definition;
  const body = readStartBody(sent.document);
  const terms = startTerms(body, Date.now());
  const raw = body.input === undefined ? undefined : sent.valueOf(body.input);
  const { site, env } = place;
  const address: Address = { site, env, workflow: name, id: executionIdOf(name, body.id, key) };
  const { maximumValueBytes } = site.deployment;
  const { input, inputHash } = accepted(await acceptInput(definition, raw, { maximumValueBytes, at: ["input"] }));
  const request = {
    workflow: name,
    id: address.id,
    ...(version === undefined ? {} : { version }),
    ...terms,
    ...(origin !== undefined && needsOrigin(site.deployment) ? { origin } : {}),
    ...(trace === undefined ? {} : { trace }),
    input,
    inputHash,
    waitMs,
  };
  return granted(await tell(address, (port) => port.start(request)));
}

export interface Signalling {
  readonly name: string;
  readonly key: string | undefined;
  readonly waitMs: number;
  /** Asked for once it is known who will read the signal. */
  readonly value: () => Promise<unknown>;
}

export async function sendSignal(address: Address, signalling: Signalling): Promise<SignalAnswer> {
  const { site, workflow } = address;
  const way: Way = { ask: (call) => ask(address, call), tell: (call) => tell(address, call) };
  return await sendSignalBy(way, { deployment: site.deployment, workflow }, signalling);
}

/** How an execution is reached: for what changes nothing, and for what does. */
export interface Way {
  readonly ask: Call;
  readonly tell: Call;
}

/** Whose execution it is. */
export interface Whose {
  readonly deployment: Deployment;
  readonly workflow: string;
}

export async function sendSignalBy(
  { ask: askIt, tell: tellIt }: Way,
  whose: Whose,
  { name, key, waitMs, value: read }: Signalling,
): Promise<SignalAnswer> {
  const { maximumValueBytes } = whose.deployment;
  checkIdentifier("signal name", name);
  const definition = await receiver(whose, askIt);
  const raw = await read();
  const { value } = accepted(await acceptSignal(definition, { name, value: raw }, { maximumValueBytes, at: [] }));
  const request = { name, value, ...(key === undefined ? {} : { key }), waitMs };
  return granted(await tellIt((port) => port.signal(request)));
}

/** The code that will read the signal. */
async function receiver({ deployment, workflow }: Whose, askIt: Call): Promise<WorkflowTerms> {
  const found = granted(await receiverOf(deployment, workflow, () => askIt((port) => port.view())));
  if (found.kind === "not-deployed") throw new Problem("NOT_CONFIGURED", found.message);
  return found.terms;
}

/** `document` is `{ reason? }`. */
export async function commandExecution(address: Address, command: Command, document: unknown): Promise<CommandAnswer> {
  const { reason } = parseRequest(COMMAND_BODY(), document);
  return granted(await tell(address, (port) => port.command({ command, ...(reason === undefined ? {} : { reason }) })));
}

/** `query` is `{ from?, limit? }`, as digits. */
export async function readJournal(address: Address, query: unknown): Promise<JournalPage> {
  const { from, limit } = parseRequest(JOURNAL_QUERY(), query);
  return granted(await ask(address, (port) => port.journal({ from, limit })));
}
