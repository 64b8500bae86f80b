import type * as ast from "@oxc-project/types";
import { ancestor, childrenOf, type Node, type VisitorKeys } from "./node.ts";

/** A function with a body. */
export type FunctionNode = ast.Function | ast.ArrowFunctionExpression;

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === "ArrowFunctionExpression" ||
    ((node.type === "FunctionDeclaration" || node.type === "FunctionExpression") && node.body !== null)
  );
}

export function enclosingFunction(node: Node): FunctionNode | undefined {
  return ancestor(node, isFunction);
}

/**
 * The nodes below `root` in the order of the code, functions included but not what is in them: that runs when they are
 * called. `root` itself may be a function.
 */
export function ownNodes(root: Node, keys: VisitorKeys): readonly Node[] {
  const found: Node[] = [];
  const open = childrenOf(root, keys).toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    if (!isFunction(node)) open.push(...childrenOf(node, keys).toReversed());
  }
  return found;
}

/** Every node below `root`, in the order of the code. */
export function allNodes(root: Node, keys: VisitorKeys): readonly Node[] {
  const found: Node[] = [];
  const open = childrenOf(root, keys).toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...childrenOf(node, keys).toReversed());
  }
  return found;
}

/** What a function returns. */
export function returnedBy(fn: FunctionNode, keys: VisitorKeys): readonly Node[] {
  if (fn.type === "ArrowFunctionExpression" && fn.expression) return [fn.body];
  return ownNodes(fn, keys).flatMap((node) =>
    node.type === "ReturnStatement" && node.argument !== null ? [node.argument] : [],
  );
}
