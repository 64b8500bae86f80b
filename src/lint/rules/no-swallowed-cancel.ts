import type * as ast from "@oxc-project/types";
import { defineRule, type Finding, type Inspected, type Suggestion } from "../rule.ts";
import { insertingBefore, rangeOf } from "../syntax/edit.ts";
import type { FunctionNode } from "../syntax/functions.ts";
import { memberName, type Node, unwrapped } from "../syntax/node.ts";
import { goesOnAfterCancel } from "../workflow/cancel-path.ts";
import { contextAccess } from "../workflow/context-access.ts";
import { OperationPromises } from "../workflow/promises.ts";
import type { WorkflowCode } from "../workflow/workflow-code.ts";

type Message = "swallowed" | "swallowedByCatch" | "rethrow";

export const noSwallowedCancel = defineRule<Message>({
  name: "no-swallowed-cancel",
  description: "Disallow catching a cancellation without deciding about it",
  type: "suggestion",
  messages: {
    swallowed:
      "This catches the cancellation of the execution too, and goes on as if nothing had been asked: a cancellation is delivered once. Rethrow it, or ask cancelled(error) and compensate.",
    swallowedByCatch:
      "This function is given the cancellation of the execution too, and goes on as if nothing had been asked: a cancellation is delivered once. Rethrow it, or ask cancelled(error) and compensate.",
    rethrow: "Rethrow a cancellation.",
  },
  hasSuggestions: true,
  *find(file) {
    const promises = new OperationPromises(file.code);
    for (const fn of file.code.workflowFunctions)
      for (const node of file.code.ownNodes(fn)) {
        const finding =
          node.type === "TryStatement"
            ? inTry(node, file)
            : node.type === "CallExpression"
              ? inChain(node, file, promises)
              : undefined;
        if (finding !== undefined) yield finding;
      }
  },
});

function inTry({ block, handler }: ast.TryStatement, file: Inspected): Finding<Message> | undefined {
  const { code } = file;
  if (handler === null || !code.ownNodes(block).some((node) => awaitsOperation(node, file))) return undefined;
  if (!goesOnAfterCancel(handler.body, code)) return undefined;
  return { node: handler, message: "swallowed", suggestions: rethrowing(handler, file) };
}

/** An operation whose error arrives in the `try`: one that is returned without `await` fails elsewhere. */
function awaitsOperation(node: Node, { code }: Inspected): boolean {
  if (node.type === "ForOfStatement") return node.await;
  if (node.type !== "AwaitExpression") return false;
  const promises = new OperationPromises(code);
  const awaited = unwrapped(node.argument);
  const given = awaited.type === "CallExpression" ? awaited.arguments : [];
  return (
    code.asking.isAskingCall(awaited) || [awaited, ...given].some((each) => promises.yieldedBy(each) !== undefined)
  );
}

/** `operation.catch(fn)` and `operation.then(fn, fn)`. */
function inChain(
  call: ast.CallExpression,
  { code }: Inspected,
  promises: OperationPromises,
): Finding<Message> | undefined {
  const member = unwrapped(call.callee);
  if (member.type !== "MemberExpression" || promises.yieldedBy(member.object) !== "promise") return undefined;
  const name = memberName(member);
  const handler = name === "catch" ? call.arguments[0] : name === "then" ? call.arguments[1] : undefined;
  const fn = handler === undefined ? undefined : code.roles.localFunctionOf(handler);
  if (handler === undefined || fn === undefined || !goesOn(fn, code)) return undefined;
  return { node: handler, message: "swallowedByCatch" };
}

function goesOn({ body }: FunctionNode, code: WorkflowCode): boolean {
  return body !== null && goesOnAfterCancel(body, code);
}

function rethrowing(handler: ast.CatchClause, { code }: Inspected): Suggestion<Message>[] {
  const access = contextAccess("cancelled", handler.body, code);
  const { param, body } = handler;
  if (access === undefined || (param !== null && param.type !== "Identifier")) return [];
  const isTaken = code.ownNodes(body).some((node) => node.type === "Identifier" && node.name === "error");
  if (param === null && isTaken) return [];
  const error = param?.name ?? "error";
  const [start] = rangeOf(body);
  const check = { start: start + 1, end: start + 1, text: ` if (${access.text}(${error})) throw ${error};` };
  const named = param === null ? [insertingBefore(body, "(error) ")] : [];
  return [{ message: "rethrow", edits: [...access.edits, ...named, check] }];
}
