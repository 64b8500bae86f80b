import type * as ast from "@oxc-project/types";
import { type FunctionNode, isFunction } from "../syntax/functions.ts";
import type { Names } from "../syntax/names.ts";
import { memberName, type Node, propertyName, propertyValue, unwrapped } from "../syntax/node.ts";
import { bindsName } from "../syntax/patterns.ts";
import { isMethodOfVariable } from "./members.ts";
import type { PackageNames } from "./package-names.ts";
import { canAsk, memberRole, type Role } from "./roles.ts";
import { roleOfType } from "./type-roles.ts";

/** Says what values are to a workflow: by annotations, by what they are made from, and by what functions are given. */
export class RoleFinder {
  readonly #packageNames: PackageNames;
  readonly #names: Names;
  /** Roles of arguments, as far as calls of local functions have been seen. */
  readonly #givenRoles = new Map<FunctionNode, Map<number, Role>>();
  #found = new Map<Node, Role | undefined>();

  constructor(packageNames: PackageNames) {
    this.#packageNames = packageNames;
    this.#names = packageNames.names;
  }

  /** Notes what a function is given. True where that is news. */
  give(fn: FunctionNode, index: number, role: Role): boolean {
    const roles = this.#givenRoles.get(fn) ?? new Map<number, Role>();
    if (roles.has(index) || fn.params[index] === undefined) return false;
    roles.set(index, role);
    this.#givenRoles.set(fn, roles);
    this.#found = new Map();
    return true;
  }

  /** The role of a parameter as a whole, before it is destructured. */
  parameterRole(fn: FunctionNode, index: number): Role | undefined {
    const parameter = fn.params[index];
    const annotated = parameter === undefined ? undefined : this.#annotatedRole(parameter);
    return annotated ?? this.#givenRoles.get(fn)?.get(index);
  }

  roleOf(node: Node): Role | undefined {
    if (this.#found.has(node)) return this.#found.get(node);
    // Names that are made from themselves have none.
    this.#found.set(node, undefined);
    const role = this.#find(unwrapped(node));
    this.#found.set(node, role);
    return role;
  }

  /** The operation that a call asks for: `step.run`, `sleep`, `result` of a callback. */
  operationOf(node: Node): string | undefined {
    if (node.type !== "CallExpression") return undefined;
    const role = this.roleOf(node.callee);
    return role?.kind === "operation" ? role.name : undefined;
  }

  /** The one local function that an expression stands for. */
  localFunctionOf(node: Node): FunctionNode | undefined {
    const inner = unwrapped(node);
    if (isFunction(inner)) return inner;
    if (inner.type === "MemberExpression") return this.#methodOf(inner);
    if (inner.type !== "Identifier") return undefined;
    const origin = this.#names.originOf(inner);
    if (origin?.kind === "function") return origin.fn;
    if (origin?.kind !== "constant" || origin.pattern !== origin.name) return undefined;
    const init = unwrapped(origin.init);
    return isFunction(init) ? init : undefined;
  }

  #find(node: Node): Role | undefined {
    switch (node.type) {
      case "Identifier":
        return this.#roleOfName(node);
      case "MemberExpression": {
        const role = this.roleOf(node.object);
        return role === undefined ? undefined : memberRole(role, memberName(node));
      }
      case "AwaitExpression":
        return this.#roleOfResult(unwrapped(node.argument));
      case "CallExpression":
        return this.#roleOfCall(node);
      case "NewExpression":
        return node.arguments.some((argument) => canAsk(this.roleOf(argument))) ? { kind: "derived" } : undefined;
      case "ObjectExpression":
        return this.#roleOfLiteral(node);
      case "LogicalExpression":
        return this.roleOf(node.left) ?? this.roleOf(node.right);
      case "ConditionalExpression":
        return this.roleOf(node.consequent) ?? this.roleOf(node.alternate);
      case "AssignmentExpression":
        return this.roleOf(node.right);
      case "SpreadElement":
        return this.roleOf(node.argument);
      default:
        return undefined;
    }
  }

  #roleOfName(identifier: Node): Role | undefined {
    const origin = this.#names.originOf(identifier);
    switch (origin?.kind) {
      case "parameter": {
        const index = origin.fn.params.findIndex((parameter) => bindsName(parameter, origin.name));
        const parameter = origin.fn.params[index];
        const role = this.parameterRole(origin.fn, index);
        return role === undefined || parameter === undefined ? undefined : roleInPattern(parameter, origin.name, role);
      }
      case "constant": {
        const role = this.#annotatedRole(origin.pattern) ?? this.roleOf(origin.init);
        return role === undefined ? undefined : roleInPattern(origin.pattern, origin.name, role);
      }
      case "other": {
        if (origin.pattern === undefined || origin.name === undefined) return undefined;
        const role = this.#annotatedRole(origin.pattern);
        return role === undefined ? undefined : roleInPattern(origin.pattern, origin.name, role);
      }
      case "import":
        return origin.module === "cloudflare:workers" && origin.name === "env"
          ? { kind: "member", name: "env" }
          : undefined;
      case "function":
      case "type":
      case undefined:
        return undefined;
    }
  }

  #annotatedRole(pattern: Node): Role | undefined {
    switch (pattern.type) {
      case "TSParameterProperty":
        return this.#annotatedRole(pattern.parameter);
      case "AssignmentPattern":
        return this.#annotatedRole(pattern.left);
      case "Identifier":
      case "ObjectPattern": {
        const annotation = pattern.typeAnnotation ?? undefined;
        return annotation === undefined ? undefined : roleOfType(annotation, this.#packageNames);
      }
      default:
        return undefined;
    }
  }

  #roleOfResult(awaited: Node): Role | undefined {
    switch (this.operationOf(awaited)) {
      case "createCallback":
        return { kind: "callback" };
      case "step.fetch":
        return { kind: "answer" };
      default:
        return undefined;
    }
  }

  /** Made by code that was given what drives a workflow, or by what such code made; or a part of a binding. */
  #roleOfCall({ callee, arguments: given }: ast.CallExpression): Role | undefined {
    const called = this.roleOf(callee);
    if (called === undefined)
      return given.some((argument) => canAsk(this.roleOf(argument))) ? { kind: "derived" } : undefined;
    if (called.kind === "derived") return called;
    const member = unwrapped(callee);
    const isPart = called.kind === "binding" && member.type === "MemberExpression";
    return isPart && !isMethodOfVariable(memberName(member)) ? called : undefined;
  }

  #roleOfLiteral({ properties }: ast.ObjectExpression): Role | undefined {
    const members = new Map<string, Role>();
    for (const property of properties) {
      if (property.type === "SpreadElement") {
        const role = this.roleOf(property.argument);
        if (role?.kind === "context") return role;
        if (role?.kind === "record") for (const [name, member] of role.members) members.set(name, member);
        continue;
      }
      const name = propertyName(property);
      const role = this.roleOf(property.value);
      if (name !== undefined && role !== undefined) members.set(name, role);
    }
    return members.size === 0 ? undefined : { kind: "record", members };
  }

  /** A function that stands in an object literal under a constant name. */
  #methodOf(member: ast.MemberExpression): FunctionNode | undefined {
    const object = unwrapped(member.object);
    const name = memberName(member);
    if (object.type !== "Identifier" || name === undefined) return undefined;
    const origin = this.#names.originOf(object);
    if (origin?.kind !== "constant" || origin.pattern !== origin.name) return undefined;
    const init = unwrapped(origin.init);
    if (init.type !== "ObjectExpression") return undefined;
    const value = propertyValue(init, name);
    return value === undefined || value === member ? undefined : this.localFunctionOf(value);
  }
}

/** The role of one name in a pattern that takes apart what has `role`. */
function roleInPattern(pattern: Node, name: Node, role: Role): Role | undefined {
  switch (pattern.type) {
    case "Identifier":
      return pattern === name ? role : undefined;
    case "TSParameterProperty":
      return roleInPattern(pattern.parameter, name, role);
    case "AssignmentPattern":
      return roleInPattern(pattern.left, name, role);
    case "ObjectPattern": {
      const property = pattern.properties.find((each) => bindsName(each.type === "Property" ? each.value : each, name));
      if (property === undefined) return undefined;
      // The rest of a context is as good as the context.
      if (property.type === "RestElement") return roleInPattern(property.argument, name, role);
      const member = memberRole(role, propertyName(property));
      return member === undefined ? undefined : roleInPattern(property.value, name, member);
    }
    default:
      return undefined;
  }
}
