import type * as ast from "@oxc-project/types";
import { returnedBy } from "../syntax/functions.ts";
import { type Node, unwrapped } from "../syntax/node.ts";
import { isOwnPromise } from "./own-promise.ts";
import { platformPath } from "./platform-paths.ts";
import { chainedFrom, isCombinator, mapperOf, OperationPromises, promiseMethodOf } from "./promises.ts";
import type { WorkflowCode } from "./workflow-code.ts";

/** A promise that the engine does not know of. */
export interface Foreign {
  readonly node: Node;
  /** False where only the `await` says that it is a promise: a call of code that is not seen. */
  readonly isCertain: boolean;
}

const NONE: readonly Foreign[] = [];

/** Functions and objects of the platform whose calls are promises that it settles. */
const PLATFORM_PROMISES: ReadonlySet<string> = new Set([
  "fetch",
  "caches",
  "scheduler",
  "createImageBitmap",
  "WebAssembly",
]);

/** Finds the promises in an expression that the engine does not know of: what awaits them is not journaled. */
export class ForeignPromises {
  readonly #code: WorkflowCode;
  readonly #operations: OperationPromises;
  readonly #open = new Set<Node>();

  constructor(code: WorkflowCode) {
    this.#code = code;
    this.#operations = new OperationPromises(code);
  }

  /** In what is awaited or returned as one promise. */
  in(node: Node): readonly Foreign[] {
    return this.#once(node, (value) => this.#inValue(value));
  }

  /** In a list whose elements are awaited. */
  inList(node: Node): readonly Foreign[] {
    return this.#once(node, (value) => this.#inListValue(value));
  }

  /** A name that is made from itself is nothing. */
  #once(node: Node, find: (value: Node) => readonly Foreign[]): readonly Foreign[] {
    const value = unwrapped(node);
    if (this.#open.has(value)) return NONE;
    this.#open.add(value);
    const found = find(value);
    this.#open.delete(value);
    return found;
  }

  #inValue(value: Node): readonly Foreign[] {
    switch (value.type) {
      case "ImportExpression":
        return [{ node: value, isCertain: true }];
      case "NewExpression":
        return this.#isPromiseClass(value.callee) && !this.#isOwn(value) ? [{ node: value, isCertain: true }] : NONE;
      case "CallExpression":
        return this.#inCall(value);
      case "TaggedTemplateExpression":
        return this.#isUnseen(value.tag) ? [{ node: value, isCertain: false }] : NONE;
      case "ConditionalExpression":
        return [...this.in(value.consequent), ...this.in(value.alternate)];
      case "LogicalExpression":
        return [...this.in(value.left), ...this.in(value.right)];
      case "SequenceExpression":
        return value.expressions.slice(-1).flatMap((last) => this.in(last));
      case "AssignmentExpression":
        return this.in(value.right);
      case "Identifier":
        return this.#inName(value, (init) => this.in(init));
      default:
        return NONE;
    }
  }

  #inListValue(value: Node): readonly Foreign[] {
    switch (value.type) {
      case "ArrayExpression":
        return value.elements.flatMap((element) => {
          if (element === null) return NONE;
          return element.type === "SpreadElement" ? this.inList(element.argument) : this.in(element);
        });
      case "ConditionalExpression":
        return [...this.inList(value.consequent), ...this.inList(value.alternate)];
      case "CallExpression": {
        const mapper = mapperOf(value);
        return mapper === undefined ? NONE : this.#inResultOf(mapper);
      }
      case "Identifier":
        return this.#inName(value, (init) => this.inList(init));
      default:
        return NONE;
    }
  }

  /** What a name stands for is reported where the name is used. */
  #inName(identifier: Node, search: (init: Node) => readonly Foreign[]): readonly Foreign[] {
    const origin = this.#code.names.originOf(identifier);
    if (origin?.kind !== "constant" || origin.pattern !== origin.name) return NONE;
    const found = search(origin.init);
    return found.length === 0 ? NONE : [{ node: identifier, isCertain: found.some(({ isCertain }) => isCertain) }];
  }

  #inCall(call: ast.CallExpression): readonly Foreign[] {
    const { roles, asking } = this.#code;
    const method = promiseMethodOf(call, this.#code);
    const [first] = call.arguments;
    // What is combined is looked at where it is combined.
    if (isCombinator(method)) return NONE;
    if (method === "resolve") return first === undefined ? NONE : this.in(first);
    if (method !== undefined && method !== "try") return NONE;
    const before = chainedFrom(call);
    if (before !== undefined) return this.in(before);
    if (asking.isAskingCall(call)) return NONE;
    const fn = roles.localFunctionOf(method === "try" && first !== undefined ? first : call.callee);
    if (fn === undefined) return this.#inUnseenCall(call);
    // What an async function awaits is looked at there.
    const isForeign = !fn.async && returnedBy(fn, this.#code.keys).some((value) => this.in(value).length > 0);
    return isForeign ? [{ node: call, isCertain: true }] : NONE;
  }

  #inUnseenCall(call: ast.CallExpression): readonly Foreign[] {
    const callee = unwrapped(call.callee);
    const binding = callee.type === "MemberExpression" ? this.#code.roles.roleOf(callee.object) : undefined;
    if (binding !== undefined) return binding.kind === "binding" ? [{ node: call, isCertain: true }] : NONE;
    if (call.arguments.some((argument) => this.#isWaitedFor(argument))) return NONE;
    const path = platformPath(callee, this.#code.names);
    if (path !== undefined && path[0] !== "import") {
      const isCertain = PLATFORM_PROMISES.has(path[0]) || path.join(" ").startsWith("crypto subtle ");
      return isCertain ? [{ node: call, isCertain }] : NONE;
    }
    return this.#isUnseen(callee) ? [{ node: call, isCertain: false }] : NONE;
  }

  /** Code that is given an operation waits for that, and code that is given a journaled answer for nothing else. */
  #isWaitedFor(argument: Node): boolean {
    return this.#code.roles.roleOf(argument)?.kind === "answer" || this.#operations.yieldedBy(argument) !== undefined;
  }

  /** True for what another module gives: an import, what an import made, and the methods and results of both. */
  #isUnseen(node: Node): boolean {
    const value = unwrapped(node);
    switch (value.type) {
      case "MemberExpression":
        return this.#isUnseen(value.object);
      case "CallExpression":
        return this.#code.asking.isAskingCall(value) ? false : this.#isUnseen(value.callee);
      case "NewExpression":
        return !this.#code.asking.isAskingCall(value) && this.#isUnseen(value.callee);
      case "Identifier":
        return this.#isUnseenName(value);
      default:
        return false;
    }
  }

  #isUnseenName(identifier: Node): boolean {
    const { names, packageNames } = this.#code;
    const origin = names.originOf(identifier);
    if (origin === undefined || packageNames.exportOf(identifier) !== undefined) return false;
    if (origin.kind === "import") return true;
    if (origin.kind !== "constant") return false;
    return this.#isUnseen(origin.init);
  }

  #isOwn(promise: ast.NewExpression): boolean {
    return isOwnPromise(promise, { code: this.#code, isForeign: (node) => this.in(node).length > 0 });
  }

  #isPromiseClass(callee: Node): boolean {
    const value = unwrapped(callee);
    return value.type === "Identifier" && value.name === "Promise" && this.#code.names.isGlobal(value);
  }

  #inResultOf(mapper: Node): readonly Foreign[] {
    const fn = this.#code.roles.localFunctionOf(mapper);
    if (fn !== undefined) return fn.async ? NONE : returnedBy(fn, this.#code.keys).flatMap((value) => this.in(value));
    const isFetch = platformPath(mapper, this.#code.names)?.join(" ") === "fetch";
    return isFetch || this.#isUnseen(mapper) ? [{ node: mapper, isCertain: isFetch }] : NONE;
  }
}
