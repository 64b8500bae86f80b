import type { StandardSchemaV1 } from "@standard-schema/spec";
import { hashText } from "../journal/draw.ts";
import { canonicalText, decodeValue, encodeValue, ValueFault } from "../journal/value.ts";
import { formatPath, type Issue, ISSUES_SHOWN } from "./issue.ts";
import type { Unacceptable, ValueText } from "./wire.ts";
import type { WorkflowTerms } from "./workflow.ts";

export type { Unacceptable } from "./wire.ts";

export interface AcceptedInput {
  readonly kind: "accepted";
  /** The parsed input. */
  readonly input: ValueText;
  /** Hash of the input as it came, by which a repeated start is told from a conflicting one. */
  readonly inputHash: string;
}

export interface AcceptedValue {
  readonly kind: "accepted";
  readonly value: ValueText;
}

export interface AcceptTerms {
  readonly maximumValueBytes: number;
  /** The place of the value in what was sent: the first part of every issue's path. */
  readonly at: readonly string[];
}

/** Takes the input of a start as the workflow's schema makes it. */
export async function acceptInput(
  { input: schema }: WorkflowTerms,
  raw: unknown,
  terms: AcceptTerms,
): Promise<AcceptedInput | Unacceptable> {
  // Bounded before anything descends into it; the text itself would tell two orders of keys apart.
  const bounded = encode(raw, terms.maximumValueBytes);
  if (bounded.kind === "unacceptable") return bounded;
  // Hashed before it is parsed: a schema may add the current time, and the same start must stay the same.
  const inputHash = hashText(canonicalText(raw));
  const parsed = await parse(schema, raw, terms);
  return parsed.kind === "unacceptable" ? parsed : { kind: "accepted", input: parsed.text, inputHash };
}

/**
 * What a workflow's schema has against an input, as far as it says so at once. A schema that asks somebody first, or that
 * needs more than there is when a module loads, has its say when the execution is started.
 */
export function inputIssues({ input: schema }: WorkflowTerms, raw: unknown): readonly Issue[] {
  if (schema === undefined) return [];
  try {
    const result = schema["~standard"].validate(raw);
    if (!(result instanceof Promise))
      return (result.issues ?? []).slice(0, ISSUES_SHOWN).map((one) => issueOf(one, []));
    // Nobody waits for it.
    result.catch(() => {});
    return [];
  } catch {
    // Such as chance, which Workers have none of while a module loads.
    return [];
  }
}

/** Takes the value of a signal that the workflow declares. */
export async function acceptSignal(
  { name: workflow, signals }: WorkflowTerms,
  signal: { readonly name: string; readonly value: unknown },
  terms: AcceptTerms,
): Promise<AcceptedValue | Unacceptable> {
  // The record has no prototype: `constructor` is a name like any other.
  const schema = signals[signal.name];
  if (schema === undefined) {
    const message = `Cannot take the signal as ${workflow} must declare it: current value is "${signal.name}"`;
    return { kind: "unacceptable", code: "UNSUPPORTED", message };
  }
  // Bounded before the schema sees it, as it may be nested beyond what the journal and a schema's recursion take.
  const bounded = encode(signal.value, terms.maximumValueBytes);
  if (bounded.kind === "unacceptable") return bounded;
  const parsed = await parse(schema, signal.value, terms);
  return parsed.kind === "unacceptable" ? parsed : { kind: "accepted", value: parsed.text };
}

/** Takes what is sent to a callback, of which only its execution knows the schema: bounded, and as it came. */
export function acceptRaw(value: unknown, maximumValueBytes: number): AcceptedValue | Unacceptable {
  const bounded = encode(value, maximumValueBytes);
  return bounded.kind === "unacceptable" ? bounded : { kind: "accepted", value: bounded.text };
}

/** Takes the answer to a callback, which was bounded by {@link acceptRaw}, as the callback's schema makes it. */
export async function acceptAnswer(
  schema: StandardSchemaV1 | undefined,
  raw: ValueText,
  terms: AcceptTerms,
): Promise<AcceptedValue | Unacceptable> {
  const parsed = await parse(schema, decodeValue(raw), terms);
  return parsed.kind === "unacceptable" ? parsed : { kind: "accepted", value: parsed.text };
}

interface Encoded {
  readonly kind: "encoded";
  readonly text: ValueText;
}

/** What the author's schema makes of a value, encoded; without a schema the value as it is. */
async function parse(
  schema: StandardSchemaV1 | undefined,
  value: unknown,
  { maximumValueBytes, at }: AcceptTerms,
): Promise<Encoded | Unacceptable> {
  if (schema === undefined) return encode(value, maximumValueBytes);
  const result = await judge(schema, value);
  if (result.issues === undefined) return encode(result.value, maximumValueBytes);
  const issues = result.issues.slice(0, ISSUES_SHOWN).map((issue) => issueOf(issue, at));
  const count = result.issues.length;
  const message = `Cannot accept the value as its schema finds ${count} fault${count === 1 ? "" : "s"}`;
  return { kind: "unacceptable", code: "VALIDATION_ERROR", message, issues };
}

async function judge(schema: StandardSchemaV1, value: unknown): Promise<StandardSchemaV1.Result<unknown>> {
  try {
    return await schema["~standard"].validate(value);
  } catch (fault) {
    // Schemas go down into a value by recursion: what is too deep for the stack does not fit, and is nobody's bug.
    if (fault instanceof RangeError) return { issues: [{ message: "the value is nested too deeply" }] };
    throw fault;
  }
}

function issueOf(issue: StandardSchemaV1.Issue, at: readonly string[]): Issue {
  const keys = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  return { path: formatPath([...at, ...keys]), message: issue.message };
}

function encode(value: unknown, maximumBytes: number): Encoded | Unacceptable {
  try {
    return { kind: "encoded", text: encodeValue(value, maximumBytes) };
  } catch (fault) {
    if (!(fault instanceof ValueFault)) throw fault;
    const { code, message, path } = fault;
    if (code === "VALUE_TOO_LARGE") return { kind: "unacceptable", code, message };
    return { kind: "unacceptable", code: "VALIDATION_ERROR", message, issues: [{ path, message }] };
  }
}
