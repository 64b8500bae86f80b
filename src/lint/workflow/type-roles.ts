import type * as ast from "@oxc-project/types";
import { type Node, propertyName, stringOf } from "../syntax/node.ts";
import type { PackageNames } from "./package-names.ts";
import { CONTEXT, memberRole, type Role, STEP } from "./roles.ts";

const ROLES_BY_EXPORT: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["WorkflowContext", CONTEXT],
  ["ContextOf", CONTEXT],
  ["DeclaredContext", CONTEXT],
  ["Step", STEP],
  ["Callback", { kind: "callback" }],
  ["FetchResult", { kind: "answer" }],
]);

/** Types of the language that leave a type what it is, or take members from it. */
const NARROWING: ReadonlySet<string> = new Set(["Pick", "Omit", "Readonly", "Partial", "Required", "NonNullable"]);

/** What a value of an annotated type is to a workflow. */
export function roleOfType(type: Node, names: PackageNames): Role | undefined {
  return typeRole(type, { names, seen: new Set() });
}

interface Search {
  readonly names: PackageNames;
  /** Types that name themselves end here. */
  readonly seen: Set<Node>;
}

function typeRole(type: Node, search: Search): Role | undefined {
  if (search.seen.has(type)) return undefined;
  search.seen.add(type);
  switch (type.type) {
    case "TSTypeAnnotation":
      return typeRole(type.typeAnnotation, search);
    case "TSTypeReference":
      return referenceRole(type, search);
    case "TSImportType":
      return ROLES_BY_EXPORT.get(search.names.exportOf(type) ?? "");
    case "TSTypeLiteral":
      return recordRole(type.members, search);
    case "TSUnionType":
    case "TSIntersectionType":
      return firstRole(type.types, search);
    case "TSTypeOperator":
      return typeRole(type.typeAnnotation, search);
    case "TSIndexedAccessType":
      return indexedRole(type, search);
    default:
      return undefined;
  }
}

function firstRole(types: readonly Node[], search: Search): Role | undefined {
  for (const type of types) {
    const role = typeRole(type, search);
    if (role !== undefined) return role;
  }
  return undefined;
}

function referenceRole({ typeName, typeArguments }: ast.TSTypeReference, search: Search): Role | undefined {
  const known = ROLES_BY_EXPORT.get(search.names.exportOf(typeName) ?? "");
  if (known !== undefined) return known;
  if (typeName.type !== "Identifier") return undefined;
  const [first] = typeArguments?.params ?? [];
  if (NARROWING.has(typeName.name) && first !== undefined) return typeRole(first, search);
  const origin = search.names.names.originOf(typeName);
  if (origin?.kind !== "type") return undefined;
  const { node } = origin;
  return node.type === "TSTypeAliasDeclaration" ? typeRole(node.typeAnnotation, search) : interfaceRole(node, search);
}

function interfaceRole(node: ast.TSInterfaceDeclaration, search: Search): Role | undefined {
  for (const { expression } of node.extends) {
    const known = ROLES_BY_EXPORT.get(search.names.exportOf(expression) ?? "");
    if (known !== undefined) return known;
  }
  return recordRole(node.body.body, search);
}

function recordRole(members: readonly ast.TSSignature[], search: Search): Role | undefined {
  const roles = new Map<string, Role>();
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || member.typeAnnotation === null) continue;
    const name = propertyName(member);
    const role = typeRole(member.typeAnnotation, search);
    if (name !== undefined && role !== undefined) roles.set(name, role);
  }
  return roles.size === 0 ? undefined : { kind: "record", members: roles };
}

function indexedRole({ objectType, indexType }: ast.TSIndexedAccessType, search: Search): Role | undefined {
  const role = typeRole(objectType, search);
  if (role === undefined || indexType.type !== "TSLiteralType") return undefined;
  return memberRole(role, stringOf(indexType.literal));
}
