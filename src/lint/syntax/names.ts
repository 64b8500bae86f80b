import type * as ast from "@oxc-project/types";
import { rangeOf } from "./edit.ts";
import { type FunctionNode, isFunction } from "./functions.ts";
import type { Node } from "./node.ts";

/** As ESLint, typescript-eslint and oxlint give it alike. */
export interface ScopeManager {
  readonly scopes: readonly Scope[];
}

interface Scope {
  readonly type: string;
  readonly block: Node;
  readonly set: ReadonlyMap<string, Variable>;
  readonly references: readonly Reference[];
}

export interface Variable {
  readonly name: string;
  readonly scope: Scope;
  readonly defs: readonly Definition[];
  readonly references: readonly Reference[];
}

export interface Reference {
  readonly identifier: Node;
  readonly resolved: Variable | null;
  readonly isRead: () => boolean;
  readonly isWrite: () => boolean;
  readonly init?: boolean;
}

interface Definition {
  readonly type: string;
  readonly name: Node;
  readonly node: Node;
  readonly parent?: Node | null;
}

/** Where a name comes from. */
export type Origin =
  /** `name` is `default` and `*` for the other forms of import. */
  | { readonly kind: "import"; readonly module: string; readonly name: string }
  | { readonly kind: "parameter"; readonly fn: FunctionNode; readonly name: Node }
  | { readonly kind: "constant"; readonly pattern: Node; readonly init: Node; readonly name: Node }
  | { readonly kind: "function"; readonly fn: FunctionNode }
  | { readonly kind: "type"; readonly node: ast.TSTypeAliasDeclaration | ast.TSInterfaceDeclaration }
  /** Assigned more than once, or by what is not followed: loops, classes, `catch`. */
  | { readonly kind: "other"; readonly pattern?: Node; readonly name?: Node };

/** The names of one file. */
export class Names {
  readonly #references = new Map<Node, Reference>();
  readonly #scopes: readonly Scope[];

  constructor({ scopes }: ScopeManager) {
    this.#scopes = scopes;
    for (const scope of scopes)
      for (const reference of scope.references) this.#references.set(reference.identifier, reference);
  }

  /** What the file declares under the name that stands here. */
  variableOf(identifier: Node): Variable | undefined {
    const variable = this.#references.get(identifier)?.resolved ?? undefined;
    return variable === undefined || variable.defs.length === 0 ? undefined : variable;
  }

  /** True for the use of a name that the file does not declare: a global one. */
  isGlobal(identifier: Node): boolean {
    return this.#references.has(identifier) && this.variableOf(identifier) === undefined;
  }

  /** True where a name stands for its value: not as a key, and not where it is declared or assigned. */
  isRead(identifier: Node): boolean {
    return this.#references.get(identifier)?.isRead() ?? false;
  }

  /** How often a name is declared in a function, its parameters included. */
  declarationsIn(fn: FunctionNode, name: string): number {
    const [start, end] = rangeOf(fn);
    return this.#scopes.filter(({ block, set }) => {
      const [from, to] = rangeOf(block);
      return from >= start && to <= end && set.has(name);
    }).length;
  }

  originOf(identifier: Node): Origin | undefined {
    const variable = this.variableOf(identifier);
    return variable === undefined ? undefined : originOf(variable);
  }
}

export function originOf(variable: Variable): Origin {
  for (const definition of variable.defs) {
    const origin = originOfDefinition(definition, variable);
    if (origin !== undefined) return origin;
  }
  return { kind: "other" };
}

function originOfDefinition({ type, node, name, parent }: Definition, variable: Variable): Origin | undefined {
  switch (type) {
    case "ImportBinding":
      return parent?.type === "ImportDeclaration"
        ? { kind: "import", module: parent.source.value, name: importedName(node) }
        : undefined;
    case "Parameter":
      return isFunction(node) ? { kind: "parameter", fn: node, name } : undefined;
    case "FunctionName":
      return isFunction(node) ? { kind: "function", fn: node } : undefined;
    case "Variable":
      if (node.type !== "VariableDeclarator") return undefined;
      return node.init === null || isAssignedLater(variable)
        ? { kind: "other", pattern: node.id, name }
        : { kind: "constant", pattern: node.id, init: node.init, name };
    case "Type":
      return node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration"
        ? { kind: "type", node }
        : undefined;
    default:
      return undefined;
  }
}

function isAssignedLater({ references }: Variable): boolean {
  return references.some((reference) => reference.isWrite() && reference.init !== true);
}

function importedName(specifier: Node): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type !== "ImportSpecifier") return "default";
  const { imported } = specifier;
  return imported.type === "Identifier" ? imported.name : imported.value;
}
