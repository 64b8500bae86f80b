import type * as ast from "@oxc-project/types";
import { defineRule, type Finding, type Inspected, type Suggestion } from "../rule.ts";
import { type Edit, insertingAfter, insertingBefore, rangeOf } from "../syntax/edit.ts";
import { enclosingFunction } from "../syntax/functions.ts";
import { memberName, type Node, surrounding, unwrapped, wrapped } from "../syntax/node.ts";
import { isPromiseByType } from "../types.ts";
import { useOf, type Use } from "../workflow/promise-use.ts";
import { chainedFrom, OperationPromises, type Yielded } from "../workflow/promises.ts";

type Message = "floating" | "unused" | "asValue" | "list" | "droppedBy" | "await" | "awaitAll";

/** Methods of arrays that look at what a function returns as a value, or not at all. */
const DROPPING: ReadonlySet<string> = new Set([
  "forEach",
  "filter",
  "some",
  "every",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "sort",
  "toSorted",
]);

export const noFloatingOperation = defineRule<Message>({
  name: "no-floating-operation",
  description: "Require operations to be awaited, returned or combined",
  type: "problem",
  messages: {
    floating:
      "Cannot leave {{text}} without awaiting it as an operation that is open when the workflow ends is abandoned, and its error is lost.",
    unused:
      "Cannot leave {{text}} in a name that nothing reads as an operation has to be awaited, returned or combined.",
    asValue: "Cannot use {{text}} as a value as it is a promise: await it.",
    list: "Cannot await a list of promises as that waits for none of them: await Promise.all(…) of it.",
    droppedBy: "Cannot ask for operations in {{method}} as it does not await what its function returns.",
    await: "Await it.",
    awaitAll: "Await all of them.",
  },
  schema: [{ type: "object", properties: { allowVoid: { type: "boolean" } }, additionalProperties: false }],
  defaultOptions: [{ allowVoid: false }],
  hasSuggestions: true,
  *find(file) {
    const promises = new OperationPromises(file.code);
    for (const fn of file.code.workflowFunctions)
      for (const node of file.code.ownNodes(fn)) {
        if (node.type !== "CallExpression") continue;
        const dropped = droppedFunction(node, file, promises);
        const finding = dropped ?? misused(node, file, promises);
        if (finding !== undefined) yield finding;
      }
  },
});

function allowsVoid(option: unknown): boolean {
  return typeof option === "object" && option !== null && "allowVoid" in option && option.allowVoid === true;
}

function misused(node: ast.CallExpression, file: Inspected, promises: OperationPromises): Finding<Message> | undefined {
  const use = useOf(node, file.code.names);
  if (isInExecutor(node) && chainedFrom(node) !== undefined) return undefined;
  if (use.kind === "kept" || (use.kind === "dropped" && use.voided !== undefined && allowsVoid(file.option)))
    return undefined;
  const yielded = promises.yieldedBy(node) ?? yieldedByType(node, use, file);
  if (yielded === undefined || !isMisuse(use, yielded)) return undefined;
  if (use.kind === "awaited") return { node, message: "list", suggestions: suggested("awaitAll", node, all(node)) };
  const data = { text: callInWords(node, file) };
  const edits = awaiting(node, use, yielded);
  const message = use.kind === "dropped" ? "floating" : use.kind === "unused" ? "unused" : "asValue";
  return { node, message, data, suggestions: suggested(yielded === "list" ? "awaitAll" : "await", node, edits) };
}

/** A chain in the function of `new Promise` is there to settle it: a combinator written by hand. */
function isInExecutor(node: Node): boolean {
  const executor = enclosingFunction(node);
  const promise = executor === undefined ? undefined : surrounding(executor);
  return promise?.type === "NewExpression";
}

/** What types say besides: whether a call whose code is not seen gives a promise. */
function yieldedByType(node: ast.CallExpression, use: Use, { services }: Inspected): Yielded | undefined {
  return use.kind === "dropped" && isPromiseByType(node, services) === true ? "promise" : undefined;
}

function isMisuse(use: Use, yielded: Yielded): boolean {
  // A list is a value; only to await it or to leave it is a mistake.
  return yielded === "list" ? use.kind !== "value" : use.kind !== "awaited";
}

/** `step.run(…)`; of a long chain of calls the last one. */
function callInWords({ callee }: ast.CallExpression, { textOf }: Inspected): string {
  const member = unwrapped(callee);
  const isLong = member.type === "MemberExpression" && unwrapped(member.object).type === "CallExpression";
  return `${isLong ? `….${memberName(member) ?? ""}` : textOf(callee)}(…)`;
}

/** Only where `await` may stand. */
function suggested(message: "await" | "awaitAll", node: Node, edits: readonly Edit[]): Suggestion<Message>[] {
  return enclosingFunction(node)?.async === true ? [{ message, edits }] : [];
}

function all(node: Node): readonly Edit[] {
  return [insertingBefore(wrapped(node), "Promise.all("), insertingAfter(wrapped(node), ")")];
}

function awaiting(node: Node, use: Use, yielded: Yielded): readonly Edit[] {
  const whole = wrapped(node);
  if (yielded === "list") return [insertingBefore(whole, "await Promise.all("), insertingAfter(whole, ")")];
  if (use.kind === "dropped" && use.voided !== undefined) {
    const [start] = rangeOf(use.voided);
    const [end] = rangeOf(use.voided.argument);
    return [{ start, end, text: "await " }];
  }
  if (use.kind === "value" && use.needsParentheses)
    return [insertingBefore(whole, "(await "), insertingAfter(whole, ")")];
  return [insertingBefore(whole, "await ")];
}

/** `list.forEach(async …)` and its like. */
function droppedFunction(
  call: ast.CallExpression,
  { code }: Inspected,
  promises: OperationPromises,
): Finding<Message> | undefined {
  const member = unwrapped(call.callee);
  const method = member.type === "MemberExpression" ? memberName(member) : undefined;
  const [first] = call.arguments;
  if (member.type !== "MemberExpression" || method === undefined || !DROPPING.has(method) || first === undefined)
    return undefined;
  const fn = code.roles.localFunctionOf(first);
  if (fn === undefined || !promises.returnsOperation(fn)) return undefined;
  const finding = { node: first, message: "droppedBy", data: { method } } as const;
  if (method !== "forEach" || useOf(call, code.names).kind !== "dropped") return finding;
  const [start, end] = rangeOf(member.property);
  const edits = [insertingBefore(call, "await Promise.all("), { start, end, text: "map" }, insertingAfter(call, ")")];
  return { ...finding, suggestions: suggested("awaitAll", call, edits) };
}
