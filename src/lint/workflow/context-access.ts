import type * as ast from "@oxc-project/types";
import { type Edit, insertingAfter, insertingBefore } from "../syntax/edit.ts";
import { allNodes, enclosingFunction, type FunctionNode } from "../syntax/functions.ts";
import { type Node, propertyName } from "../syntax/node.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/** How a member of the context can be named at some place. */
export interface ContextAccess {
  readonly text: string;
  /** What has to be changed for that: the member is taken out of the context too. */
  readonly edits: readonly Edit[];
}

/** Undefined where no context is at hand, or its name or the member's means something else there. */
export function contextAccess(member: string, node: Node, code: WorkflowCode): ContextAccess | undefined {
  for (let fn = enclosingFunction(node); fn !== undefined; fn = enclosingFunction(fn)) {
    for (const [index, parameter] of fn.params.entries()) {
      if (code.roles.parameterRole(fn, index)?.kind !== "context") continue;
      const pattern = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
      if (pattern.type === "Identifier") return accessBy(`${pattern.name}.${member}`, pattern.name, { fn, code });
      return pattern.type === "ObjectPattern" ? accessIn(pattern, member, { fn, code }) : undefined;
    }
  }
  return undefined;
}

interface Place {
  readonly fn: FunctionNode;
  readonly code: WorkflowCode;
}

function accessBy(text: string, name: string, { fn, code }: Place): ContextAccess | undefined {
  return code.names.declarationsIn(fn, name) === 1 ? { text, edits: [] } : undefined;
}

function accessIn(pattern: ast.ObjectPattern, member: string, { fn, code }: Place): ContextAccess | undefined {
  const taken = pattern.properties.find((each) => each.type === "Property" && propertyName(each) === member);
  if (taken?.type === "Property") {
    const { value } = taken;
    return value.type === "Identifier" ? accessBy(value.name, value.name, { fn, code }) : undefined;
  }
  const isOther = (each: Node) => each.type === "Identifier" && each.name === member && code.names.isRead(each);
  if (code.names.declarationsIn(fn, member) > 0 || allNodes(fn, code.keys).some(isOther)) return undefined;
  const last = pattern.properties.at(-1);
  if (last === undefined) return undefined;
  const edit = last.type === "RestElement" ? insertingBefore(last, `${member}, `) : insertingAfter(last, `, ${member}`);
  return { text: member, edits: [edit] };
}
