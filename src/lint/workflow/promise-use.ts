import type * as ast from "@oxc-project/types";
import type { Names } from "../syntax/names.ts";
import { memberName, type Node, surrounding, unwrapped, wrapped } from "../syntax/node.ts";

/** What becomes of the value of an expression. */
export type Use =
  /** Given on to what may await it. */
  | { readonly kind: "kept" }
  | { readonly kind: "awaited" }
  /** Nobody has it. */
  | { readonly kind: "dropped"; readonly voided?: ast.UnaryExpression }
  /** In a name that is never read. */
  | { readonly kind: "unused" }
  /** Looked at as if it were no promise. */
  | { readonly kind: "value"; readonly needsParentheses: boolean };

const KEPT: Use = { kind: "kept" };
const VALUE: Use = { kind: "value", needsParentheses: false };
const VALUE_IN_EXPRESSION: Use = { kind: "value", needsParentheses: true };

/** Methods of promises: what they give is a promise again. */
const CHAINING: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

export function useOf(node: Node, names: Names): Use {
  const outer = surrounding(node);
  if (outer === undefined) return KEPT;
  const value = wrapped(node);
  switch (outer.type) {
    case "ExpressionStatement":
      return { kind: "dropped" };
    case "UnaryExpression":
      return outer.operator === "void" ? { kind: "dropped", voided: outer } : VALUE;
    case "AwaitExpression":
      return { kind: "awaited" };
    case "SequenceExpression":
      return outer.expressions.at(-1) === value ? useOf(outer, names) : { kind: "dropped" };
    case "LogicalExpression":
      return outer.right === value ? useOf(outer, names) : VALUE;
    case "ConditionalExpression":
      return outer.test === value ? VALUE : useOf(outer, names);
    case "MemberExpression":
      return useAsObject(outer, node);
    case "BinaryExpression":
    case "TemplateLiteral":
      return VALUE_IN_EXPRESSION;
    case "VariableDeclarator":
      return useInDeclarator(outer.id, names);
    case "ForOfStatement":
      return outer.right === value && !outer.await ? VALUE : KEPT;
    case "IfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "SwitchStatement":
      return VALUE;
    case "ForStatement":
      return outer.test === value ? VALUE : { kind: "dropped" };
    default:
      return KEPT;
  }
}

function useAsObject(outer: ast.MemberExpression, node: Node): Use {
  if (unwrapped(outer.object) !== unwrapped(node)) return VALUE_IN_EXPRESSION;
  return CHAINING.has(memberName(outer) ?? "") ? KEPT : VALUE_IN_EXPRESSION;
}

function useInDeclarator(pattern: Node, names: Names): Use {
  if (pattern.type === "ObjectPattern") return VALUE;
  if (pattern.type !== "Identifier") return KEPT;
  const variable = names.variableOf(pattern);
  return variable?.references.some((reference) => reference.isRead()) === false ? { kind: "unused" } : KEPT;
}
