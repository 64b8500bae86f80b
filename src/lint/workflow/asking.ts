import type * as ast from "@oxc-project/types";
import { allNodes, type FunctionNode } from "../syntax/functions.ts";
import { ancestor, type Node, surrounding, unwrapped, type VisitorKeys } from "../syntax/node.ts";
import type { RoleFinder } from "./role-finder.ts";
import { canAsk } from "./roles.ts";

/** Tells which functions ask for operations, however deep, and which are the functions of steps. */
export class Asking {
  readonly #keys: VisitorKeys;
  readonly #roles: RoleFinder;
  readonly #asks = new Map<FunctionNode, boolean>();

  constructor(keys: VisitorKeys, roles: RoleFinder) {
    this.#keys = keys;
    this.#roles = roles;
  }

  /** True for a function that asks for an operation, or calls what may. */
  asks(fn: FunctionNode): boolean {
    const known = this.#asks.get(fn);
    if (known !== undefined) return known;
    // Functions that call each other ask only if one of them does so by itself.
    this.#asks.set(fn, false);
    const asks = allNodes(fn, this.#keys).some((node) => this.isAskingCall(node) && !this.#isInStep(node, fn));
    this.#asks.set(fn, asks);
    return asks;
  }

  /** True for a call of an operation, of a function that asks for one, or of unseen code that was given the means to. */
  isAskingCall(node: Node): boolean {
    if (node.type !== "CallExpression") return false;
    const role = this.#roles.roleOf(node.callee);
    if (role !== undefined) return role.kind === "operation" || role.kind === "derived";
    const fn = this.#roles.localFunctionOf(node.callee);
    if (fn !== undefined && this.asks(fn)) return true;
    return node.arguments.some((argument) => this.#canAsk(argument));
  }

  /** The call of `step.run` of which a value is the function or the rollback, also as a branch of a choice. */
  stepOf(node: Node): ast.CallExpression | undefined {
    const call = surrounding(node);
    if (call?.type === "ConditionalExpression" && unwrapped(call.test) !== unwrapped(node)) return this.stepOf(call);
    if (call?.type !== "CallExpression" || this.#roles.operationOf(call) !== "step.run") return undefined;
    return call.arguments.slice(1, 3).some((argument) => unwrapped(argument) === unwrapped(node)) ? call : undefined;
  }

  #canAsk(argument: Node): boolean {
    if (canAsk(this.#roles.roleOf(argument))) return true;
    const fn = this.#roles.localFunctionOf(argument);
    return fn !== undefined && this.asks(fn);
  }

  #isInStep(node: Node, fn: FunctionNode): boolean {
    const isOutermost = (outer: Node): outer is Node => outer === fn || this.stepOf(outer) !== undefined;
    return ancestor(node, isOutermost) !== fn;
  }
}
