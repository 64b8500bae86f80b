import type { Names, Variable } from "../syntax/names.ts";
import { memberName, type Node, propertyName, unwrapped } from "../syntax/node.ts";

/**
 * What a name of the platform, or of an imported module, leads to: `["Date", "now"]` for a global,
 * `["import", "node:crypto", "randomUUID"]` for an import.
 */
export type PlatformPath = readonly [string, ...string[]];

/** Names under which the global object is known. */
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "self", "global", "window"]);

/** Follows members, constants and what is taken out of objects. Undefined for what is not the platform's. */
export function platformPath(node: Node, names: Names): PlatformPath | undefined {
  return pathOf(node, { names, seen: new Set() });
}

interface Search {
  readonly names: Names;
  /** Names that are made from themselves end here. */
  readonly seen: Set<Node>;
}

function pathOf(node: Node, search: Search): PlatformPath | undefined {
  const value = unwrapped(node);
  if (search.seen.has(value)) return undefined;
  search.seen.add(value);
  switch (value.type) {
    case "MemberExpression":
      return member(pathOf(value.object, search), memberName(value));
    case "MetaProperty":
      return value.meta.name === "import" ? ["import.meta"] : undefined;
    case "Identifier":
      return search.names.isGlobal(value) ? [value.name] : declaredPath(value, search);
    default:
      return undefined;
  }
}

function declaredPath(identifier: Node, search: Search): PlatformPath | undefined {
  const origin = search.names.originOf(identifier);
  if (origin?.kind === "import") return importPath(origin.module, origin.name);
  if (origin?.kind !== "constant") return undefined;
  const path = pathOf(origin.init, search);
  if (origin.pattern === origin.name) return path;
  return origin.pattern.type === "ObjectPattern" ? member(path, keyOf(origin.pattern, origin.name)) : undefined;
}

function importPath(module: string, name: string): PlatformPath {
  const base: PlatformPath = ["import", module.replace(/^node:/, "")];
  // The default export of a module of the platform is the module.
  return name === "*" || name === "default" ? base : [...base, name];
}

function member(path: PlatformPath | undefined, name: string | undefined): PlatformPath | undefined {
  if (path === undefined || name === undefined) return undefined;
  const [first, ...rest] = path;
  if (rest.length === 0 && GLOBAL_OBJECTS.has(first)) return [name];
  return name === "default" ? path : [...path, name];
}

function keyOf({ properties }: { readonly properties: readonly Node[] }, name: Node): string | undefined {
  for (const property of properties)
    if (property.type === "Property" && (property.value === name || leftOf(property.value) === name))
      return propertyName(property);
  return undefined;
}

function leftOf(pattern: Node): Node | undefined {
  return pattern.type === "AssignmentPattern" ? pattern.left : undefined;
}

/** True for what is declared for the whole file. */
export function isOfModule({ scope }: Variable): boolean {
  return scope.type === "module" || scope.type === "global";
}
