import type * as ast from "@oxc-project/types";
import { defineRule, type Finding, type Inspected, type Suggestion } from "../rule.ts";
import { replacing } from "../syntax/edit.ts";
import { enclosingFunction, isFunction } from "../syntax/functions.ts";
import { memberName, type Node, surrounding, unwrapped } from "../syntax/node.ts";
import { isPromiseByType } from "../types.ts";
import { contextAccess } from "../workflow/context-access.ts";
import { type Foreign, ForeignPromises } from "../workflow/foreign-promises.ts";
import { isCombinator, promiseMethodOf } from "../workflow/promises.ts";
import { kebabCased } from "../workflow/step-names.ts";

type Message = "awaited" | "combined" | "step";

export const noForeignPromise = defineRule<Message>({
  name: "no-foreign-promise",
  description: "Disallow awaiting or combining promises that are no operations",
  type: "problem",
  messages: {
    awaited:
      "Cannot await {{text}} in workflow code as it is no operation: nothing of it is journaled, so a replay does it again and may go on in another order. Do it in a step.",
    combined:
      "Cannot combine {{text}} in Promise.{{method}} as it is no operation: a replay may see it settle in another order. Do it in a step.",
    step: "Do it in a step named {{name}}.",
  },
  hasSuggestions: true,
  *find(file) {
    const reported = new Set<Node>();
    for (const fn of file.code.workflowFunctions)
      for (const node of [fn, ...file.code.ownNodes(fn)])
        for (const finding of findingsAt(node, file)) {
          if (reported.has(finding.node)) continue;
          reported.add(finding.node);
          yield finding;
        }
  },
});

function* findingsAt(node: Node, file: Inspected): Iterable<Finding<Message>> {
  const { code } = file;
  const promises = new ForeignPromises(code);
  if (node.type === "CallExpression") {
    const method = promiseMethodOf(node, code);
    const [first] = node.arguments;
    if (!isCombinator(method) || first === undefined) return;
    for (const foreign of promises.inList(first))
      if (isPromise(foreign, file)) yield findingOf("combined", foreign, { file, method });
    return;
  }
  const awaited = awaitedBy(node);
  if (awaited === undefined) return;
  const found = awaited.isList ? promises.inList(awaited.node) : promises.in(awaited.node);
  for (const foreign of found)
    if (foreign.isCertain || (awaited.isSaid && isPromise(foreign, file)))
      yield findingOf("awaited", foreign, { file, method: "" });
}

interface Awaited {
  readonly node: Node;
  readonly isList: boolean;
  /** The code says `await`, so that a call of code that is not seen can be taken for a promise. */
  readonly isSaid: boolean;
}

/** What an `await`, a `for await` or the return of an async function waits for. */
function awaitedBy(node: Node): Awaited | undefined {
  switch (node.type) {
    case "AwaitExpression":
      return { node: node.argument, isList: false, isSaid: true };
    case "ForOfStatement":
      return node.await ? { node: node.right, isList: isListLike(node.right), isSaid: true } : undefined;
    case "ArrowFunctionExpression":
      return node.async && node.expression ? { node: node.body, isList: false, isSaid: false } : undefined;
    case "ReturnStatement":
      return node.argument !== null && enclosingFunction(node)?.async === true
        ? { node: node.argument, isList: false, isSaid: false }
        : undefined;
    default:
      return undefined;
  }
}

function isListLike(node: Node): boolean {
  return unwrapped(node).type === "ArrayExpression";
}

/** By types, where they are at hand: they may say that what is awaited is a value. */
function isPromise({ node, isCertain }: Foreign, { services }: Inspected): boolean {
  return isCertain || isFunction(node) || isPromiseByType(node, services) !== false;
}

interface Situation {
  readonly file: Inspected;
  readonly method: string;
}

function findingOf(message: "awaited" | "combined", { node }: Foreign, { file, method }: Situation): Finding<Message> {
  const text = inWords(node, file);
  return { node, message, data: { text, method }, suggestions: inStep(node, file) };
}

function inWords(node: Node, { textOf }: Inspected): string {
  switch (node.type) {
    case "CallExpression":
      return `${textOf(node.callee)}()`;
    case "NewExpression":
      return `new ${textOf(node.callee)}()`;
    case "ImportExpression":
      return "import()";
    default:
      return textOf(node);
  }
}

/** `await charge(input)` becomes `await step.run("charge", () => charge(input))`. */
function inStep(node: Node, { code, textOf }: Inspected): Suggestion<Message>[] {
  if (node.type !== "CallExpression" || surrounding(node)?.type !== "AwaitExpression") return [];
  const name = nameOfStep(node);
  const access = contextAccess("step", node, code);
  const waits = code.ownNodes(node).some(({ type }) => type === "AwaitExpression" || type === "YieldExpression");
  if (name === undefined || access === undefined || waits) return [];
  const text = `${access.text}.run(${JSON.stringify(name)}, () => ${textOf(node)})`;
  return [{ message: "step", data: { name }, edits: [...access.edits, replacing(node, text)] }];
}

function nameOfStep({ callee }: ast.CallExpression): string | undefined {
  const called = unwrapped(callee);
  const name = called.type === "Identifier" ? called.name : undefined;
  const method = called.type === "MemberExpression" ? memberName(called) : undefined;
  return kebabCased(name ?? method ?? "");
}
