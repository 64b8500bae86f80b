import type * as ast from "@oxc-project/types";
import { allNodes, type FunctionNode } from "../syntax/functions.ts";
import { type Node, surrounding, unwrapped } from "../syntax/node.ts";
import { isOfModule } from "./platform-paths.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/**
 * True for `new Promise((resolve) => waiting.push(resolve))` and `new Promise((resolve) => { release = resolve; })`: what
 * settles it is the workflow's own code, in the order of its operations, so that a replay settles it alike.
 */
export function keepsResolver({ arguments: given }: ast.NewExpression, code: WorkflowCode): boolean {
  const [executor] = given;
  const fn = executor === undefined ? undefined : code.roles.localFunctionOf(executor);
  if (fn === undefined) return false;
  const uses = allNodes(fn, code.keys).filter((node) => isParameterOf(node, fn, code));
  return uses.length > 0 && uses.every((use) => isKept(use, code));
}

function isParameterOf(node: Node, fn: FunctionNode, { names }: WorkflowCode): boolean {
  if (node.type !== "Identifier" || !names.isRead(node)) return false;
  const origin = names.originOf(node);
  return origin?.kind === "parameter" && origin.fn === fn;
}

/** Assigned to a name of the workflow's code, or put into a collection of it, also as a part of an object. */
function isKept(use: Node, code: WorkflowCode): boolean {
  const outer = surrounding(use);
  switch (outer?.type) {
    case "AssignmentExpression":
      return isOwn(outer.left, code);
    case "Property":
      return outer.parent !== undefined && isKept(outer.parent, code);
    case "CallExpression": {
      const callee = unwrapped(outer.callee);
      return callee.type === "MemberExpression" && isOwn(callee.object, code);
    }
    default:
      return false;
  }
}

function isOwn(target: Node, code: WorkflowCode): boolean {
  const value = unwrapped(target);
  if (value.type === "MemberExpression") return isOwn(value.object, code);
  const variable = value.type === "Identifier" ? code.names.variableOf(value) : undefined;
  return variable !== undefined && !isOfModule(variable);
}
