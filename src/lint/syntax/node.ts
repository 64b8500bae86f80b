import type * as ast from "@oxc-project/types";

/** A node of the syntax tree, as typescript-eslint and oxlint make it. What espree makes is a part of that. */
export type Node = ast.Node;

/** Child properties by type of node. */
export type VisitorKeys = Readonly<Record<string, readonly string[]>>;

/** What stands around an expression without changing its value: parentheses, `?.`, and what only the compiler sees. */
type Wrapper =
  | ast.ChainExpression
  | ast.ParenthesizedExpression
  | ast.TSAsExpression
  | ast.TSSatisfiesExpression
  | ast.TSTypeAssertion
  | ast.TSNonNullExpression
  | ast.TSInstantiationExpression;

const WRAPPERS: ReadonlySet<string> = new Set<Wrapper["type"]>([
  "ChainExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
  "TSNonNullExpression",
  "TSInstantiationExpression",
]);

function isWrapper(node: Node): node is Wrapper {
  return WRAPPERS.has(node.type);
}

/** The expression inside of all wrappers. */
export function unwrapped(node: Node): Node {
  let inner = node;
  while (isWrapper(inner)) inner = inner.expression;
  return inner;
}

/** The expression with all of its wrappers. */
export function wrapped(node: Node): Node {
  let outer = node;
  while (outer.parent !== undefined && outer.parent !== null && isWrapper(outer.parent)) outer = outer.parent;
  return outer;
}

/** What an expression stands in, wrappers left out. */
export function surrounding(node: Node): Node | undefined {
  return wrapped(node).parent ?? undefined;
}

/** The text of a string, or of a template without expressions. */
export function stringOf(node: Node): string | undefined {
  const inner = unwrapped(node);
  if (inner.type === "Literal" && typeof inner.value === "string") return inner.value;
  if (inner.type === "TemplateLiteral" && inner.expressions.length === 0)
    return inner.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The name under which a property is read or declared, where the code says it. */
export function propertyName({
  key,
  computed,
}: {
  readonly key: Node;
  readonly computed: boolean;
}): string | undefined {
  if (!computed && (key.type === "Identifier" || key.type === "PrivateIdentifier")) return key.name;
  return stringOf(key);
}

export function memberName({ property, computed }: ast.MemberExpression): string | undefined {
  return propertyName({ key: property, computed });
}

/** The value of a property of an object literal; the last one counts. */
export function propertyValue(object: ast.ObjectExpression, name: string): Node | undefined {
  const found = object.properties.findLast(
    (property) => property.type === "Property" && propertyName(property) === name,
  );
  return found?.type === "Property" ? found.value : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Types run nothing: of TypeScript's own syntax only the wrappers hold code, and `constructor(private x = 1)`. */
function holdsCode({ type }: Node): boolean {
  return !type.startsWith("TS") || WRAPPERS.has(type) || type === "TSParameterProperty";
}

/** The children that run, in the order of the code. */
export function childrenOf(node: Node, keys: VisitorKeys): readonly Node[] {
  const children: Node[] = [];
  for (const key of keys[node.type] ?? []) {
    // The cast: a key of the node's type, of which the parser's own table says that it holds children.
    const child = (node as unknown as Readonly<Record<string, unknown>>)[key];
    for (const each of Array.isArray(child) ? (child as readonly unknown[]) : [child])
      if (isNode(each) && holdsCode(each)) children.push(each);
  }
  return children;
}

/** The nearest of the nodes around `node` for which `is` holds. */
export function ancestor<T extends Node>(node: Node, is: (node: Node) => node is T): T | undefined {
  for (let outer = node.parent; outer !== undefined && outer !== null; outer = outer.parent)
    if (is(outer)) return outer;
  return undefined;
}
