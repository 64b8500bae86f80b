import type * as ast from "@oxc-project/types";
import { LIMITS } from "../../limits.ts";
import type { Names } from "../syntax/names.ts";
import { type Node, propertyName, stringOf, unwrapped } from "../syntax/node.ts";

/** How the name of a step is declared. */
export type StepName =
  | { readonly kind: "literal"; readonly node: Node; readonly name: string }
  /** `constant` is what it is known to be all the same. */
  | { readonly kind: "computed"; readonly node: Node; readonly constant?: string }
  | { readonly kind: "missing"; readonly node: Node };

/** The name that a call of `step.run` or `step.fetch` declares, in either form; undefined where nothing is given. */
export function stepNameOf({ arguments: given }: ast.CallExpression, names: Names): StepName | undefined {
  const [first] = given;
  if (first === undefined) return undefined;
  const step = unwrapped(first);
  const options = step.type === "Identifier" ? (constantOf(step, names) ?? step) : step;
  return options.type === "ObjectExpression" ? nameIn(options, names) : nameAt(step, names);
}

function nameIn(options: ast.ObjectExpression, names: Names): StepName {
  const last = options.properties.findLast(
    (property) => property.type === "SpreadElement" || propertyName(property) === "name",
  );
  if (last === undefined) return { kind: "missing", node: options };
  // What is spread last may hold another name.
  return last.type === "SpreadElement" ? { kind: "computed", node: last } : nameAt(last.value, names);
}

function nameAt(node: Node, names: Names): StepName {
  const name = stringOf(node);
  if (name !== undefined) return { kind: "literal", node, name };
  const value = unwrapped(node);
  const source = value.type === "Identifier" ? constantOf(value, names) : undefined;
  const constant = source === undefined ? undefined : stringOf(source);
  return { kind: "computed", node, ...(constant !== undefined && { constant }) };
}

/** What a name that is never assigned again was declared with. */
function constantOf(identifier: Node, names: Names): Node | undefined {
  const origin = names.originOf(identifier);
  return origin?.kind === "constant" && origin.pattern === origin.name ? unwrapped(origin.init) : undefined;
}

/** The nearest name in kebab-case; undefined where nothing is left of it. */
export function kebabCased(text: string): string | undefined {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = words?.join("-");
  return name === undefined || name.length > LIMITS.stepNameLength ? undefined : name;
}
