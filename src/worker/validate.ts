import type { StandardSchemaV1 } from "@standard-schema/spec";
import { encodeValue, ValueFault } from "../journal/value.ts";
import { formatPath, type Issue, ISSUES_SHOWN } from "./issue.ts";
import { Problem } from "./problem.ts";

/**
 * What the author's schema makes of a value; without a schema the value as it is.
 *
 * @param at the place of the value in what was sent: the first part of every issue's path
 */
export async function validate(
  schema: StandardSchemaV1 | undefined,
  value: unknown,
  at: readonly string[],
): Promise<unknown> {
  if (schema === undefined) return value;
  const result = await judge(schema, value);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.slice(0, ISSUES_SHOWN).map((issue) => issueOf(issue, at));
  const count = result.issues.length;
  throw new Problem(
    "VALIDATION_ERROR",
    `Cannot accept the value as its schema finds ${count} fault${count === 1 ? "" : "s"}`,
    {
      issues,
    },
  );
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

/** The value codec's text of what was sent, or of what its schema made of it. */
export function encodeSent(value: unknown, maximumBytes: number): string {
  try {
    return encodeValue(value, maximumBytes);
  } catch (fault) {
    if (!(fault instanceof ValueFault)) throw fault;
    if (fault.code === "VALUE_TOO_LARGE") throw new Problem("VALUE_TOO_LARGE", fault.message);
    throw new Problem("VALIDATION_ERROR", fault.message, { issues: [{ path: fault.path, message: fault.message }] });
  }
}
