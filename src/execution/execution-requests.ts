import type { OnParentEnd } from "../journal/child-entry.ts";
import type { Encoded, Started } from "../journal/entry.ts";
import { nameText, type ExecutionName } from "../journal/execution-name.ts";
import type { Message } from "../journal/message-entry.ts";
import { encodeValue } from "../journal/value.ts";
import { LIMITS } from "../limits.ts";
import { parseDurationWithin } from "../steps/duration.ts";
import { OperationRefused } from "../steps/errors.ts";
import { checkExecutionId, checkSignalName, checkWorkflowName } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";
import type { Request } from "./request.ts";

/** What the operations between executions are made with. */
export interface ExecutionTerms {
  readonly started: Started;
  /** The key of something that this execution does. */
  readonly keyOf: (label: string) => string;
  readonly maximumValueBytes: number;
  /** As `Journal.encoded`. */
  readonly encoded: (text: string) => Encoded;
}

const WAIT = { minimumMs: 0, maximumMs: LIMITS.waitMs };

/**
 * The start of another execution. Its input is validated when it is delivered, by the workflow as it is deployed then.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value; ValueFault for an input that cannot be
 * journaled
 */
export function childRequest(args: readonly unknown[], terms: ExecutionTerms): Request {
  const [target, input, options] = args;
  const workflow = checkWorkflow(target, "startExecution");
  const { id, onParentEnd } = readOptions(options, "startExecution", ["id", "onParentEnd"]);
  return startOf({ workflow, id: checkId(id), input, onParentEnd: checkOnParentEnd(onParentEnd) }, terms);
}

/**
 * The start of an execution that is awaited at once.
 *
 * @throws as `childRequest`
 */
export function runRequest(args: readonly unknown[], terms: ExecutionTerms): Request {
  const [target, input, options] = args;
  const workflow = checkWorkflow(target, "runExecution");
  const { id } = readOptions(options, "runExecution", ["id"]);
  return startOf({ workflow, id: checkId(id), input, onParentEnd: "cancel" }, terms);
}

/**
 * A wait for the end of another execution.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value; OperationRefused with code `DEADLOCK`
 */
export function awaitRequest(ref: unknown, options: unknown, { started }: ExecutionTerms): Request {
  const name = checkRef(ref, "awaitExecution");
  const { timeout } = readOptions(options, "awaitExecution", ["timeout"]);
  const ms = timeout === undefined ? undefined : parseDurationWithin(timeout, "timeout", WAIT);
  if (nameText(name) === nameText(started)) {
    throw new OperationRefused(
      "DEADLOCK",
      `Cannot await ${nameText(name)} as an execution cannot wait for its own end.`,
    );
  }
  return {
    kind: "execution",
    name: nameText(name),
    entry: (asked, at) => ({
      type: "child-awaited",
      ...asked,
      kind: "execution",
      ...name,
      ...(ms !== undefined && { dueAt: at + ms }),
      at,
    }),
  };
}

/**
 * A signal to another execution.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value; ValueFault for a value that cannot be
 * journaled
 */
export function signalMessage(args: readonly unknown[], terms: ExecutionTerms): Request {
  const [ref, name, value] = args;
  const to = checkRef(ref, "signalExecution");
  const signal = checkSignalName(name);
  encodeValue(value, LIMITS.valueBytesCeiling);
  return messageOf({ name: `signal ${signal}`, to }, () => ({
    kind: "signal",
    signal,
    value: terms.encoded(encodeValue(value, terms.maximumValueBytes)),
  }));
}

/**
 * The cancellation of another execution.
 *
 * @throws TypeError or RangeError that names the field, the rule and the value
 */
export function cancelMessage(ref: unknown, reason: unknown): Request {
  const to = checkRef(ref, "cancelExecution");
  const text = reason === undefined ? undefined : checkReason(reason);
  return messageOf({ name: "cancel", to }, () => ({ kind: "cancel", ...(text !== undefined && { reason: text }) }));
}

interface Start {
  readonly workflow: string;
  readonly id: string | undefined;
  readonly input: unknown;
  readonly onParentEnd: OnParentEnd;
}

function startOf({ workflow, id, input, onParentEnd }: Start, terms: ExecutionTerms): Request {
  // What is wrong with a call by itself is refused on every replay; the deployment's bound counts for new ones.
  encodeValue(input, LIMITS.valueBytesCeiling);
  return {
    kind: "child",
    name: workflow,
    entry: (asked, at) => ({
      type: "child-requested",
      ...asked,
      kind: "child",
      workflow,
      // A replay, and the next object after a death, find the same child.
      id: id ?? terms.keyOf(`child ${asked.op}`),
      input: terms.encoded(encodeValue(input, terms.maximumValueBytes)),
      onParentEnd,
      at,
    }),
  };
}

function messageOf(
  { name, to }: { readonly name: string; readonly to: ExecutionName },
  message: () => Message,
): Request {
  return {
    kind: "message",
    name,
    entry: (asked, at) => ({ type: "message-requested", ...asked, kind: "message", ...to, message: message(), at }),
  };
}

function checkWorkflow(target: unknown, where: string): string {
  const name: unknown = typeof target === "object" && target !== null && "name" in target ? target.name : target;
  if (typeof name === "string") return checkWorkflowName(name);
  throw new TypeError(
    `Cannot use the workflow of ${where} as it must be a workflow, its spec or its name: ` +
      `current value is ${showValue(target)}`,
  );
}

function checkId(id: unknown): string | undefined {
  return id === undefined ? undefined : checkExecutionId(id);
}

function checkOnParentEnd(value: unknown = "cancel"): OnParentEnd {
  if (value === "cancel" || value === "continue") return value;
  throw new TypeError(
    `Cannot use onParentEnd as it must be "cancel" or "continue": current value is ${showValue(value)}`,
  );
}

/** A reference is plain data, and may have been kept with other things. */
function checkRef(ref: unknown, where: string): ExecutionName {
  if (typeof ref !== "object" || ref === null || !("workflow" in ref) || !("id" in ref)) {
    const rule = "it must be { workflow, id }, as startExecution and executionRef give it";
    throw new TypeError(`Cannot use the execution of ${where} as ${rule}: current value is ${showValue(ref)}`);
  }
  return { workflow: checkWorkflowName(ref.workflow), id: checkExecutionId(ref.id) };
}

function readOptions<Key extends string>(
  options: unknown,
  where: string,
  keys: readonly Key[],
): { readonly [K in Key]?: unknown } {
  return options === undefined ? {} : readFields(options, `the options of ${where}`, keys);
}

function checkReason(reason: unknown): string {
  const message =
    `Cannot use the reason of cancelExecution as it must be a string of at most ${LIMITS.reasonBytes} characters: ` +
    `current value is ${showValue(reason)}`;
  if (typeof reason !== "string") throw new TypeError(message);
  if (reason.length > LIMITS.reasonBytes) throw new RangeError(message);
  return reason;
}
