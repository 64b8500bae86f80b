import type * as ast from "@oxc-project/types";
import { allNodes, type FunctionNode, isFunction } from "../syntax/functions.ts";
import { memberName, type Node, propertyName, surrounding, type VisitorKeys } from "../syntax/node.ts";
import { FREE_MEMBERS } from "./members.ts";
import type { PackageNames } from "./package-names.ts";
import type { RoleFinder } from "./role-finder.ts";
import { canAsk, CONTEXT } from "./roles.ts";

/** A function by which workflow code begins. */
export interface Root {
  /** The function of a workflow, or one that is given the context of any. */
  readonly kind: "workflow" | "helper";
  readonly fn: FunctionNode;
}

export interface RootSources {
  readonly nodes: readonly Node[];
  readonly keys: VisitorKeys;
  readonly packageNames: PackageNames;
  readonly roles: RoleFinder;
}

/** Finds the functions of workflows, and those whose parameters are annotated as a workflow's context or a part of it. */
export function findRoots({ nodes, keys, packageNames, roles }: RootSources): readonly Root[] {
  const workflows = new Set<FunctionNode>();
  for (const node of nodes) {
    const fn = node.type === "CallExpression" ? runOf(node, { packageNames, roles }) : undefined;
    if (fn === undefined) continue;
    workflows.add(fn);
    roles.give(fn, 0, CONTEXT);
  }
  const helpers = nodes.filter(isFunction).filter((fn) => !workflows.has(fn) && isHelper(fn, keys, roles));
  return [
    ...[...workflows].map((fn) => ({ kind: "workflow", fn }) as const),
    ...helpers.map((fn) => ({ kind: "helper", fn }) as const),
  ];
}

/** The function that a call of `defineWorkflow` is given. */
function runOf(
  call: ast.CallExpression,
  { packageNames, roles }: Pick<RootSources, "packageNames" | "roles">,
): FunctionNode | undefined {
  if (packageNames.exportOf(call.callee) !== "defineWorkflow") return undefined;
  const run = call.arguments[1];
  return run === undefined ? undefined : roles.localFunctionOf(run);
}

function isHelper(fn: FunctionNode, keys: VisitorKeys, roles: RoleFinder): boolean {
  return fn.params.some((parameter, index) => {
    const role = roles.parameterRole(fn, index);
    if (!canAsk(role)) return false;
    return role?.kind !== "context" || !takesFreeMembersOnly(parameter, fn, keys);
  });
}

/** A function that reads nothing of the context but what steps may use too can be the code of a step. */
function takesFreeMembersOnly(parameter: Node, fn: FunctionNode, keys: VisitorKeys): boolean {
  if (parameter.type === "AssignmentPattern") return takesFreeMembersOnly(parameter.left, fn, keys);
  if (parameter.type === "ObjectPattern")
    return parameter.properties.every(
      (property) => property.type === "Property" && FREE_MEMBERS.has(propertyName(property) ?? ""),
    );
  if (parameter.type !== "Identifier") return false;
  const { name } = parameter;
  return allNodes(fn, keys).every((node) => {
    if (node === parameter || node.type !== "Identifier" || node.name !== name) return true;
    const outer = surrounding(node);
    if (outer?.type === "VariableDeclarator" && outer.init !== null) return takesFreeMembersOnly(outer.id, fn, keys);
    return outer?.type === "MemberExpression" && FREE_MEMBERS.has(memberName(outer) ?? "");
  });
}
