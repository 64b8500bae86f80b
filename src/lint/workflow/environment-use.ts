import type { Node } from "../syntax/node.ts";
import { memberName, surrounding, unwrapped } from "../syntax/node.ts";
import { isMethodOfVariable } from "./members.ts";
import { isFunction } from "../syntax/functions.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/**
 * What a node does with `env` that a replay may not do again alike: it calls a binding, or decides by what `env` holds.
 * To read a variable is neither: most are a part of what a step then does.
 */
export function environmentUse(node: Node, code: WorkflowCode): "binding" | "decision" | undefined {
  if (node.type === "CallExpression") return callsBinding(node.callee, code) ? "binding" : undefined;
  if (node.type !== "MemberExpression" && node.type !== "Identifier") return undefined;
  if (!isOfEnvironment(node, code)) return undefined;
  const outer = surrounding(node);
  // A part of a longer path.
  if (outer?.type === "MemberExpression" && unwrapped(outer.object) === node && isOfEnvironment(outer, code))
    return undefined;
  return isDecidedBy(node, code) ? "decision" : undefined;
}

function callsBinding(callee: Node, { roles }: WorkflowCode): boolean {
  const member = unwrapped(callee);
  if (member.type !== "MemberExpression" || roles.roleOf(callee)?.kind !== "binding") return false;
  // Of `DB.prepare(…).first()` the first call says it.
  return unwrapped(member.object).type !== "CallExpression" && !isMethodOfVariable(memberName(member));
}

function isOfEnvironment(node: Node, { roles, names }: WorkflowCode): boolean {
  if (node.type === "Identifier" && !names.isRead(node)) return false;
  const role = roles.roleOf(node);
  return role?.kind === "binding" || (role?.kind === "member" && role.name === "env");
}

/** True for a part of what a statement, or a choice between operations, is decided by. */
function isDecidedBy(node: Node, code: WorkflowCode): boolean {
  let inner = node;
  for (let outer = node.parent; outer !== undefined && outer !== null; outer = outer.parent) {
    // What an operation or a function is given is seen there.
    if (isFunction(outer) || code.asking.isAskingCall(outer)) return false;
    switch (outer.type) {
      case "IfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
        return outer.test === inner;
      case "SwitchStatement":
        return outer.discriminant === inner;
      case "ConditionalExpression":
        if (outer.test === inner && [outer.consequent, outer.alternate].some((branch) => asksIn(branch, code)))
          return true;
        break;
      default:
        break;
    }
    inner = outer;
  }
  return false;
}

function asksIn(branch: Node, code: WorkflowCode): boolean {
  return [branch, ...code.ownNodes(branch)].some((node) => code.asking.isAskingCall(node));
}
