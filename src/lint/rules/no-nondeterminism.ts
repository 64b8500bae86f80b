import type * as ast from "@oxc-project/types";
import { defineRule, type Finding, type Inspected, type Suggestion } from "../rule.ts";
import { replacing } from "../syntax/edit.ts";
import { enclosingFunction, type FunctionNode } from "../syntax/functions.ts";
import { type Node, surrounding, unwrapped } from "../syntax/node.ts";
import { contextAccess } from "../workflow/context-access.ts";
import { environmentUse } from "../workflow/environment-use.ts";
import { isOfModule, platformPath } from "../workflow/platform-paths.ts";
import { type Category, platformUse, type PlatformUse } from "../workflow/platform-uses.ts";
import type { WorkflowCode } from "../workflow/workflow-code.ts";

type Message = Category | "binding" | "decision" | "use";

export const noNondeterminism = defineRule<Message>({
  name: "no-nondeterminism",
  description: "Disallow clock, randomness, network, timers and environment outside of steps",
  type: "problem",
  messages: {
    clock:
      "Cannot use {{text}} in workflow code as a replay reads another time: use now() of the context, or read it in a step.{{where}}",
    randomness:
      "Cannot use {{text}} in workflow code as a replay draws something else: use random() or uuid() of the context, or draw it in a step.{{where}}",
    network:
      "Cannot use {{text}} in workflow code as a replay does it again, and may get another answer: do it in a step, or by step.fetch().{{where}}",
    timer:
      "Cannot use {{text}} in workflow code as the time of the platform is lost with the object: use sleep(), or a timeout of the operation.{{where}}",
    environment:
      "Cannot use {{text}} in workflow code as it may be another one at a replay: use it in a step.{{where}}",
    binding:
      "Cannot use {{text}} in workflow code as a replay does it again, and may get another answer: do it in a step.{{where}}",
    decision:
      "Cannot decide by {{text}} in workflow code as a deploy may change it, and a replay would decide otherwise: read it in a step, or pass it as input.{{where}}",
    use: "Use {{text}} of the context.",
  },
  hasSuggestions: true,
  *find(file) {
    for (const fn of file.code.workflowFunctions) {
      const where = calledFrom(fn, file);
      for (const node of file.code.ownNodes(fn)) {
        const finding = platformFinding(node, file) ?? environmentFinding(node, file);
        if (finding !== undefined) yield { ...finding, data: { ...finding.data, where } };
      }
    }
  },
});

/** A function that steps call as well is right there: what is wrong is another call. */
function calledFrom(fn: FunctionNode, { code: { regions }, lineOf }: Inspected): string {
  const call = regions.callsInWorkflowCode.get(fn);
  if (call === undefined || !regions.stepsByFunction.has(fn)) return "";
  return ` It is called outside of a step in line ${lineOf(call)}.`;
}

function platformFinding(node: Node, file: Inspected): Finding<Message> | undefined {
  const use = useAt(node, file.code);
  if (use === undefined) return undefined;
  const call = calling(node);
  const text = `${file.textOf(node)}${call === undefined ? "" : "()"}`;
  return {
    node: call ?? node,
    message: use.category,
    data: { text: call?.type === "NewExpression" ? `new ${text}` : text },
    suggestions: suggested(node, use, file),
  };
}

/** What a name or a member does that a replay would not see again; a part of a larger one that says so is left out. */
function useAt(node: Node, code: WorkflowCode): PlatformUse | undefined {
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return undefined;
  if (node.type === "Identifier" && !code.names.isRead(node)) return undefined;
  if (isLocalName(node, code) || code.asking.stepOf(node) !== undefined || isNotUsed(node)) return undefined;
  const path = platformPath(node, code.names);
  if (path === undefined) return undefined;
  if (path.length === 1 && path[0] === "Date")
    return readsDate(node) ? { category: "clock", instead: "now" } : undefined;
  const use = platformUse(path, calling(node) !== undefined);
  if (use === undefined) return undefined;
  const inner = node.type === "MemberExpression" ? useAt(node.object, code) : undefined;
  return inner === undefined ? use : undefined;
}

/** What a name of the function stands for was reported where the name was given it. */
function isLocalName(node: Node, { names }: WorkflowCode): boolean {
  const variable = node.type === "Identifier" ? names.variableOf(node) : undefined;
  return variable !== undefined && !isOfModule(variable);
}

/** `typeof fetch`, `error instanceof AxiosError`; and what a client is made with, `{ fetch }`, which steps then use. */
function isNotUsed(node: Node): boolean {
  const outer = surrounding(node);
  return (
    outer?.type === "Property" ||
    (outer?.type === "UnaryExpression" && outer.operator === "typeof") ||
    (outer?.type === "BinaryExpression" && outer.operator === "instanceof")
  );
}

/** The call of which a node is the callee. */
function calling(node: Node): ast.CallExpression | ast.NewExpression | undefined {
  const outer = surrounding(node);
  const isCall = outer?.type === "CallExpression" || outer?.type === "NewExpression";
  return isCall && unwrapped(outer.callee) === node ? outer : undefined;
}

/** `new Date()` and `Date()`: with arguments a date is what they say. */
function readsDate(node: Node): boolean {
  const call = calling(node);
  return call?.type === "CallExpression" || call?.arguments.length === 0;
}

function suggested(node: Node, use: PlatformUse, { code, textOf }: Inspected): Suggestion<Message>[] {
  const call = calling(node);
  const pause = use.category === "timer" && call !== undefined ? pauseOf(call, code) : undefined;
  const member = pause === undefined ? use.instead : "sleep";
  const access = member === undefined ? undefined : contextAccess(member, node, code);
  if (member === undefined || access === undefined) return [];
  const { text } = access;
  const edit = (target: Node, written: string): Suggestion<Message>[] => [
    { message: "use", data: { text: `${member}()` }, edits: [...access.edits, replacing(target, written)] },
  ];
  if (pause !== undefined) return edit(pause.promise, `${text}(${pause.ms === undefined ? "0" : textOf(pause.ms)})`);
  if (call?.type === "NewExpression") return edit(call, `new Date(${text}())`);
  // The date as text.
  if (node.type === "Identifier" && node.name === "Date") return [];
  return call === undefined || call.arguments.length === 0 ? edit(node, text) : [];
}

interface Pause {
  readonly promise: Node;
  readonly ms: Node | undefined;
}

/** `new Promise((resolve) => setTimeout(resolve, ms))`. */
function pauseOf(call: ast.CallExpression | ast.NewExpression, { names }: WorkflowCode): Pause | undefined {
  const executor = enclosingFunction(call);
  const promise = executor === undefined ? undefined : surrounding(executor);
  const [resolve, ms] = call.arguments;
  const [parameter] = executor?.params ?? [];
  if (promise?.type !== "NewExpression" || resolve?.type !== "Identifier" || parameter === undefined) return undefined;
  const origin = names.originOf(resolve);
  return origin?.kind === "parameter" && origin.name === parameter ? { promise, ms } : undefined;
}

function environmentFinding(node: Node, file: Inspected): Finding<Message> | undefined {
  const use = environmentUse(node, file.code);
  if (use === undefined) return undefined;
  const isCall = use === "binding";
  return {
    node,
    message: use,
    data: { text: isCall && node.type === "CallExpression" ? `${file.textOf(node.callee)}()` : file.textOf(node) },
  };
}
