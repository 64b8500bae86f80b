import { type Names, originOf } from "../syntax/names.ts";
import { memberName, type Node, unwrapped } from "../syntax/node.ts";

/** Recognises what a file has from the package, under whichever name. */
export class PackageNames {
  readonly names: Names;
  readonly #modules: ReadonlySet<string>;

  /** @param modules the package, and modules of the author's that pass its exports on */
  constructor(names: Names, modules: ReadonlySet<string>) {
    this.names = names;
    this.#modules = modules;
  }

  /** The export that a value or the name of a type stands for. */
  exportOf(node: Node): string | undefined {
    const inner = unwrapped(node);
    switch (inner.type) {
      case "Identifier":
        return this.#namedExport(inner, inner.name);
      case "MemberExpression":
        return this.#isNamespace(inner.object) ? memberName(inner) : undefined;
      case "TSQualifiedName":
        return this.#isNamespace(inner.left) && inner.right.type === "Identifier" ? inner.right.name : undefined;
      case "TSImportType":
        return this.#modules.has(inner.source.value) && inner.qualifier?.type === "Identifier"
          ? inner.qualifier.name
          : undefined;
      default:
        return undefined;
    }
  }

  #namedExport(identifier: Node, name: string): string | undefined {
    // Code without its imports, as documents show it: the name has to be the package's own.
    if (this.names.isGlobal(identifier)) return name;
    const variable = this.names.variableOf(identifier);
    if (variable === undefined) return undefined;
    const origin = originOf(variable);
    return origin.kind === "import" && this.#modules.has(origin.module) ? origin.name : undefined;
  }

  #isNamespace(node: Node): boolean {
    const inner = unwrapped(node);
    if (inner.type !== "Identifier") return false;
    const origin = this.names.originOf(inner);
    return origin?.kind === "import" && origin.name === "*" && this.#modules.has(origin.module);
  }
}
