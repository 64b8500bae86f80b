import type * as ast from "@oxc-project/types";
import { allNodes, enclosingFunction, type FunctionNode } from "../syntax/functions.ts";
import { type Node, surrounding, unwrapped } from "../syntax/node.ts";
import { isOfModule } from "./platform-paths.ts";
import { chainedFrom } from "./promises.ts";
import type { WorkflowCode } from "./workflow-code.ts";

export interface OwnPromiseSources {
  readonly code: WorkflowCode;
  /** True for a promise that the engine does not know of. */
  readonly isForeign: (promise: Node) => boolean;
}

/**
 * True for a promise that the workflow's own code settles, in the order of its operations, so that a replay settles it
 * alike: `new Promise((resolve) => waiting.push(resolve))`, or a combinator written by hand.
 */
export function isOwnPromise({ arguments: given }: ast.NewExpression, sources: OwnPromiseSources): boolean {
  const [executor] = given;
  const fn = executor === undefined ? undefined : sources.code.roles.localFunctionOf(executor);
  if (fn === undefined) return false;
  const search = { ...sources, executor: fn, seen: new Set<FunctionNode>() };
  const uses = allNodes(fn, sources.code.keys).filter((node) => isParameterOf(node, search));
  return uses.length > 0 && uses.every((use) => isUsedByOwnCode(use, search));
}

interface Search extends OwnPromiseSources {
  readonly executor: FunctionNode;
  /** Functions that call themselves end here. */
  readonly seen: Set<FunctionNode>;
}

function isParameterOf(node: Node, { executor, code: { names } }: Search): boolean {
  if (node.type !== "Identifier" || !names.isRead(node)) return false;
  const origin = names.originOf(node);
  return origin?.kind === "parameter" && origin.fn === executor;
}

/** Called in time, given to a chain, or kept in a name or a collection of the workflow's code. */
function isUsedByOwnCode(use: Node, search: Search): boolean {
  const outer = surrounding(use);
  switch (outer?.type) {
    case "AssignmentExpression":
      return isOwn(outer.left, search);
    case "Property":
      return outer.parent !== undefined && isUsedByOwnCode(outer.parent, search);
    case "CallExpression": {
      if (unwrapped(outer.callee) === use) return runsInOrder(enclosingFunction(use), search);
      if (chainedFrom(outer) !== undefined) return isOwnChain(outer, search);
      const callee = unwrapped(outer.callee);
      return callee.type === "MemberExpression" && isOwn(callee.object, search);
    }
    default:
      return false;
  }
}

function isOwnChain(call: ast.CallExpression, { isForeign }: Search): boolean {
  const before = chainedFrom(call);
  return before !== undefined && !isForeign(before);
}

/** True for the executor, for what it calls, and for what follows an operation. */
function runsInOrder(fn: FunctionNode | undefined, search: Search): boolean {
  if (fn === undefined || fn === search.executor) return fn !== undefined;
  if (search.seen.has(fn)) return true;
  search.seen.add(fn);
  const { roles, keys, names } = search.code;
  const isName = (node: Node) => node.type === "Identifier" && names.isRead(node) && roles.localFunctionOf(node) === fn;
  const named = allNodes(search.executor, keys).filter(isName);
  const uses = named.length === 0 ? [fn] : named;
  return uses.every((use) => {
    const call = surrounding(use);
    if (call?.type !== "CallExpression") return false;
    const isCalled = unwrapped(call.callee) === use;
    return isCalled ? runsInOrder(enclosingFunction(use), search) : isOwnChain(call, search);
  });
}

function isOwn(target: Node, search: Search): boolean {
  const value = unwrapped(target);
  if (value.type === "MemberExpression") return isOwn(value.object, search);
  const variable = value.type === "Identifier" ? search.code.names.variableOf(value) : undefined;
  return variable !== undefined && !isOfModule(variable);
}
