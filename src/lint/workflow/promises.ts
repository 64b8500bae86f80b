import type * as ast from "@oxc-project/types";
import { type FunctionNode, returnedBy } from "../syntax/functions.ts";
import { memberName, type Node, unwrapped } from "../syntax/node.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/** A promise of an operation, or a list of such promises. */
export type Yielded = "promise" | "list";

export type Combinator = "all" | "allSettled" | "any" | "race";

const COMBINATORS: ReadonlySet<string> = new Set<Combinator>(["all", "allSettled", "any", "race"]);
const CHAINING: ReadonlySet<string> = new Set(["then", "catch", "finally"]);

/** The method of the global `Promise` that a call is of. */
export function promiseMethodOf({ callee }: ast.CallExpression, { names }: WorkflowCode): string | undefined {
  const member = unwrapped(callee);
  if (member.type !== "MemberExpression") return undefined;
  const object = unwrapped(member.object);
  const isPromise = object.type === "Identifier" && object.name === "Promise" && names.isGlobal(object);
  return isPromise ? memberName(member) : undefined;
}

export function isCombinator(method: string | undefined): method is Combinator {
  return method !== undefined && COMBINATORS.has(method);
}

/** What a call of `then`, `catch` or `finally` goes on from. */
export function chainedFrom({ callee }: ast.CallExpression): Node | undefined {
  const member = unwrapped(callee);
  return member.type === "MemberExpression" && CHAINING.has(memberName(member) ?? "") ? member.object : undefined;
}

/** The function from which `list.map(fn)`, `list.flatMap(fn)` and `Array.from(list, fn)` take the elements of a list. */
export function mapperOf({ callee, arguments: given }: ast.CallExpression): Node | undefined {
  const member = unwrapped(callee);
  if (member.type !== "MemberExpression") return undefined;
  const name = memberName(member);
  if (name === "map" || name === "flatMap") return given[0];
  const object = unwrapped(member.object);
  return name === "from" && object.type === "Identifier" && object.name === "Array" ? given[1] : undefined;
}

/** Tells which expressions are promises of operations. */
export class OperationPromises {
  readonly #code: WorkflowCode;
  readonly #open = new Set<Node>();

  constructor(code: WorkflowCode) {
    this.#code = code;
  }

  /** What an expression is before it is awaited. */
  yieldedBy(node: Node): Yielded | undefined {
    const value = unwrapped(node);
    // A name that is made from itself is nothing.
    if (this.#open.has(value)) return undefined;
    this.#open.add(value);
    const yielded = this.#yieldedBy(value);
    this.#open.delete(value);
    return yielded;
  }

  /** True for a function whose call is a promise of operations. */
  returnsOperation(fn: FunctionNode): boolean {
    if (fn.generator) return false;
    if (fn.async) return this.#code.asking.asks(fn);
    return returnedBy(fn, this.#code.keys).some((value) => this.yieldedBy(value) === "promise");
  }

  #yieldedBy(value: Node): Yielded | undefined {
    switch (value.type) {
      case "CallExpression":
        return this.#yieldedByCall(value);
      case "ConditionalExpression":
        return this.yieldedBy(value.consequent) ?? this.yieldedBy(value.alternate);
      case "LogicalExpression":
        return this.yieldedBy(value.right) ?? this.yieldedBy(value.left);
      case "ArrayExpression":
        return value.elements.some((element) => element !== null && this.yieldedBy(element) !== undefined)
          ? "list"
          : undefined;
      case "SpreadElement":
        return this.yieldedBy(value.argument);
      case "Identifier": {
        const origin = this.#code.names.originOf(value);
        return origin?.kind === "constant" && origin.pattern === origin.name ? this.yieldedBy(origin.init) : undefined;
      }
      default:
        return undefined;
    }
  }

  #yieldedByCall(call: ast.CallExpression): Yielded | undefined {
    const { roles } = this.#code;
    if (roles.operationOf(call) !== undefined) return "promise";
    const [first] = call.arguments;
    if (isCombinator(promiseMethodOf(call, this.#code)))
      return first !== undefined && this.yieldedBy(first) === "list" ? "promise" : undefined;
    const before = chainedFrom(call);
    if (before !== undefined) return this.yieldedBy(before) === "promise" ? "promise" : undefined;
    const mapper = mapperOf(call);
    const mapping = mapper === undefined ? undefined : roles.localFunctionOf(mapper);
    if (mapping !== undefined) return this.returnsOperation(mapping) ? "list" : undefined;
    const fn = roles.localFunctionOf(call.callee);
    return fn !== undefined && this.returnsOperation(fn) ? "promise" : undefined;
  }
}
