import type * as ast from "@oxc-project/types";
import { allNodes, enclosingFunction, type FunctionNode, isFunction, ownNodes } from "../syntax/functions.ts";
import type { Names } from "../syntax/names.ts";
import { type Node, surrounding, unwrapped, type VisitorKeys } from "../syntax/node.ts";
import { Asking } from "./asking.ts";
import type { RoleFinder } from "./role-finder.ts";
import { canAsk } from "./roles.ts";
import type { Root } from "./roots.ts";

/** Where a function runs: as a part of workflows, or as a part of a step. */
type Region =
  | { readonly kind: "workflow"; readonly root: Root }
  | { readonly kind: "step"; readonly call: ast.CallExpression };

export interface RegionSources {
  readonly nodes: readonly Node[];
  readonly keys: VisitorKeys;
  readonly names: Names;
  readonly roles: RoleFinder;
}

/** A step's function that is given as what cannot be looked into. */
export interface Uninspected {
  readonly call: ast.CallExpression;
  readonly argument: Node;
}

/** Follows the calls from the functions of workflows, and sorts functions into what runs there and what runs in steps. */
export class Regions {
  readonly #sources: RegionSources;
  readonly #callsByFunction: ReadonlyMap<FunctionNode, readonly Node[]>;
  readonly rootsByFunction = new Map<FunctionNode, Set<Root>>();
  /** With the step that is found first to run the function. */
  readonly stepsByFunction = new Map<FunctionNode, ast.CallExpression>();
  /** The call that is found first to run a function in workflow code. */
  readonly callsInWorkflowCode = new Map<FunctionNode, Node>();
  readonly uninspected = new Map<Node, Uninspected>();
  asking: Asking;
  #isSettled = false;

  constructor(sources: RegionSources, roots: readonly Root[]) {
    this.#sources = sources;
    this.#callsByFunction = usesByFunction(sources);
    this.asking = new Asking(sources.keys, sources.roles);
    // What a function is given may show what it passes on: again, until nothing new is seen.
    while (!this.#isSettled) this.#walk(roots);
    this.#addClosures();
  }

  #walk(roots: readonly Root[]): void {
    this.#isSettled = true;
    this.rootsByFunction.clear();
    this.stepsByFunction.clear();
    this.callsInWorkflowCode.clear();
    this.uninspected.clear();
    this.asking = new Asking(this.#sources.keys, this.#sources.roles);
    for (const root of roots) this.#visit(root.fn, { kind: "workflow", root });
  }

  /** Functions that ask for operations, but are called by what is not seen: as closures that are returned. */
  #addClosures(): void {
    for (const fn of this.#sources.nodes.filter(isFunction)) {
      if (this.rootsByFunction.has(fn) || this.stepsByFunction.has(fn)) continue;
      const asks = ownNodes(fn, this.#sources.keys).some((node) => this.#sources.roles.operationOf(node) !== undefined);
      if (!asks) continue;
      const outer = enclosingFunction(fn);
      const roots = outer === undefined ? undefined : this.rootsByFunction.get(outer);
      for (const root of roots ?? [{ kind: "helper", fn } as const]) this.#visit(fn, { kind: "workflow", root });
    }
  }

  #visit(fn: FunctionNode, region: Region): void {
    if (!this.#enter(fn, region)) return;
    for (const node of ownNodes(fn, this.#sources.keys))
      if (node.type === "CallExpression" || node.type === "NewExpression") this.#follow(node, region);
  }

  /** False where the function has been visited for that. */
  #enter(fn: FunctionNode, region: Region): boolean {
    if (region.kind === "step") {
      if (this.stepsByFunction.has(fn)) return false;
      this.stepsByFunction.set(fn, region.call);
      return true;
    }
    const roots = this.rootsByFunction.get(fn) ?? new Set<Root>();
    if (roots.has(region.root)) return false;
    this.rootsByFunction.set(fn, roots.add(region.root));
    return true;
  }

  #follow(call: ast.CallExpression | ast.NewExpression, region: Region): void {
    const { roles } = this.#sources;
    if (call.type === "CallExpression" && roles.operationOf(call) === "step.run") return this.#followStep(call);
    const fn = roles.localFunctionOf(call.callee);
    if (fn === undefined) {
      for (const given of call.arguments.flatMap(functionsIn)) this.#followUnseen(given, call, region);
      return;
    }
    for (const [index, argument] of call.arguments.entries()) {
      const role = roles.roleOf(argument);
      if (role !== undefined && roles.give(fn, index, role)) this.#isSettled = false;
      const step = this.#stepOfParameter(fn, index, new Set());
      for (const given of functionsIn(argument))
        this.#visitValue(given, step === undefined ? region : { kind: "step", call: step });
    }
    if (region.kind === "workflow" && !this.callsInWorkflowCode.has(fn)) this.callsInWorkflowCode.set(fn, call);
    this.#visit(fn, region);
  }

  #followStep(call: ast.CallExpression): void {
    for (const argument of call.arguments.slice(1, 3).flatMap(functionsWrittenIn)) {
      const fn = this.#sources.roles.localFunctionOf(argument);
      if (fn !== undefined) this.#visit(fn, { kind: "step", call });
      else if (!isNoFunction(argument) && !this.#isGivenLocally(argument))
        this.uninspected.set(argument, { call, argument });
    }
  }

  /** Code that is not seen may run a function in a step only if it can ask for one. */
  #followUnseen(given: Node, call: ast.CallExpression | ast.NewExpression, region: Region): void {
    const { roles } = this.#sources;
    const fn = roles.localFunctionOf(given);
    if (fn === undefined) return;
    const mayBeStep =
      roles.roleOf(call.callee)?.kind === "derived" || call.arguments.some((each) => canAsk(roles.roleOf(each)));
    if (region.kind === "step" || !mayBeStep || this.asking.asks(fn)) this.#visit(fn, region);
  }

  #visitValue(value: Node, region: Region): void {
    const fn = this.#sources.roles.localFunctionOf(value);
    if (fn !== undefined) this.#visit(fn, region);
  }

  /** The step that a function's parameter is the function of, where it is used for nothing else. */
  #stepOfParameter(fn: FunctionNode, index: number, seen: Set<FunctionNode>): ast.CallExpression | undefined {
    const parameter = fn.params[index];
    const name = parameter?.type === "AssignmentPattern" ? parameter.left : parameter;
    if (name?.type !== "Identifier" || seen.has(fn)) return undefined;
    seen.add(fn);
    const uses = allNodes(fn, this.#sources.keys).filter((node) => node !== name && this.#isUse(node, name));
    const steps = uses.map((use) => this.#stepOfUse(use, fn, seen));
    return steps.includes(undefined) ? undefined : steps[0];
  }

  #isUse(node: Node, name: Node): boolean {
    if (node.type !== "Identifier") return false;
    const origin = this.#sources.names.originOf(node);
    return origin?.kind === "parameter" && origin.name === name;
  }

  #stepOfUse(use: Node, fn: FunctionNode, seen: Set<FunctionNode>): ast.CallExpression | undefined {
    for (let value: Node | undefined = use; value !== undefined && value !== fn; value = enclosingFunction(value)) {
      const step = this.asking.stepOf(value);
      if (step !== undefined) return step;
    }
    const call = surrounding(use);
    if (call?.type !== "CallExpression") return undefined;
    const passedTo = this.#sources.roles.localFunctionOf(call.callee);
    const index = call.arguments.findIndex((argument) => unwrapped(argument) === use);
    return passedTo === undefined || index < 0 ? undefined : this.#stepOfParameter(passedTo, index, seen);
  }

  /** True for a parameter for which every call that the file has gives a function that can be looked into. */
  #isGivenLocally(argument: Node): boolean {
    const value = unwrapped(argument);
    const origin = value.type === "Identifier" ? this.#sources.names.originOf(value) : undefined;
    if (origin?.kind !== "parameter") return false;
    const index = origin.fn.params.findIndex((parameter) => parameter === origin.name);
    const uses = this.#callsByFunction.get(origin.fn) ?? [];
    if (index < 0 || uses.length === 0 || isExported(origin.fn)) return false;
    return uses.every((use) => {
      const call = surrounding(use);
      const given =
        call?.type === "CallExpression" && unwrapped(call.callee) === use ? call.arguments[index] : undefined;
      return given !== undefined && this.#sources.roles.localFunctionOf(given) !== undefined;
    });
  }
}

/** The functions of `isRisky ? (value) => undo(value) : undefined`; any other argument as it is. */
function functionsWrittenIn(argument: Node): readonly Node[] {
  const value = unwrapped(argument);
  if (value.type !== "ConditionalExpression") return [argument];
  const branches = [value.consequent, value.alternate].flatMap(functionsWrittenIn);
  return branches.every((branch) => isFunction(unwrapped(branch)) || isNoFunction(branch)) ? branches : [argument];
}

/** What the compiler refuses anyway, and `undefined` for no rollback. */
function isNoFunction(argument: Node): boolean {
  const value = unwrapped(argument);
  return value.type === "Literal" || (value.type === "Identifier" && value.name === "undefined");
}

function isExported(fn: FunctionNode): boolean {
  const outer = surrounding(fn);
  const declaration = outer?.type === "VariableDeclarator" ? outer.parent?.parent : outer;
  return declaration?.type === "ExportNamedDeclaration" || declaration?.type === "ExportDefaultDeclaration";
}

/** Where functions are named, their declarations left out. */
function usesByFunction({ nodes, names, roles }: RegionSources): ReadonlyMap<FunctionNode, readonly Node[]> {
  const uses = new Map<FunctionNode, Node[]>();
  for (const node of nodes) {
    if (node.type !== "Identifier" || names.variableOf(node) === undefined) continue;
    const outer = node.parent ?? undefined;
    if (outer?.type === "VariableDeclarator" && outer.id === node) continue;
    const fn = roles.localFunctionOf(node);
    if (fn !== undefined) uses.set(fn, [...(uses.get(fn) ?? []), node]);
  }
  return uses;
}

/** The values of an argument that may be functions, also as they stand in lists and objects. */
function functionsIn(argument: Node): readonly Node[] {
  const value = unwrapped(argument);
  switch (value.type) {
    case "ConditionalExpression":
      return [value.consequent, value.alternate].flatMap(functionsIn);
    case "LogicalExpression":
      return [value.left, value.right].flatMap(functionsIn);
    case "ArrayExpression":
      return value.elements.flatMap((element) => (element === null ? [] : functionsIn(element)));
    case "ObjectExpression":
      return value.properties.flatMap((property) =>
        functionsIn(property.type === "Property" ? property.value : property),
      );
    case "SpreadElement":
      return functionsIn(value.argument);
    default:
      return [value];
  }
}
