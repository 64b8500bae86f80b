import type * as ast from "@oxc-project/types";
import { defineRule, type Finding, type Inspected } from "../rule.ts";
import { replacing } from "../syntax/edit.ts";
import { type Node, surrounding, unwrapped } from "../syntax/node.ts";
import { OWN_TO_WORKFLOW_CODE } from "../workflow/members.ts";
import type { RoleFinder } from "../workflow/role-finder.ts";
import { stepNameOf } from "../workflow/step-names.ts";

type Message = "nested" | "passed" | "ownToWorkflow" | "notInspected" | "wrap";

export const noNestedStep = defineRule<Message>({
  name: "no-nested-step",
  description: "Disallow operations inside the function of a step",
  type: "problem",
  messages: {
    nested:
      "Cannot use {{operation}} inside {{step}} as only the workflow's own code may ask for operations: the step would end with NESTED_STEP.",
    passed: "Cannot hand {{operation}} on inside {{step}} as only the workflow's own code may ask for operations.",
    ownToWorkflow: "Cannot use {{operation}} inside {{step}} as it belongs to the workflow's own code: it would throw.",
    notInspected:
      "Cannot look into the function of {{step}} as it is neither written here nor one function of this file: write `{{wrapped}}`.",
    wrap: "Write `{{wrapped}}`.",
  },
  schema: [
    {
      type: "object",
      properties: { uninspected: { enum: ["report", "ignore"] } },
      additionalProperties: false,
    },
  ],
  defaultOptions: [{ uninspected: "report" }],
  hasSuggestions: true,
  *find(file) {
    const { code } = file;
    for (const fn of code.stepFunctions) {
      const call = code.regions.stepsByFunction.get(fn);
      if (call === undefined) continue;
      const step = stepInWords(call, file);
      for (const node of code.ownNodes(fn)) yield* usesAt(node, step, file);
    }
    if (!ignoresUninspected(file.option))
      for (const { call, argument } of code.regions.uninspected.values()) yield notInspected(call, argument, file);
  },
});

function ignoresUninspected(option: unknown): boolean {
  return typeof option === "object" && option !== null && "uninspected" in option && option.uninspected === "ignore";
}

function stepInWords(call: ast.CallExpression, { code }: Inspected): string {
  const step = stepNameOf(call, code.names);
  return step?.kind === "literal" ? `step ${step.name}` : "a step";
}

/** What a node in a step has to do with operations, if it is not a part of a larger one that says it. */
function* usesAt(node: Node, step: string, { code: { roles, names }, textOf }: Inspected): Iterable<Finding<Message>> {
  if (node.type === "Identifier" ? !names.isRead(node) : node.type !== "MemberExpression") return;
  const role = roles.roleOf(node);
  const outer = surrounding(node);
  if (role === undefined || (outer?.type === "MemberExpression" && unwrapped(outer.object) === node)) return;
  const data = { operation: textOf(node), step };
  const call = outer?.type === "CallExpression" && unwrapped(outer.callee) === node ? outer : undefined;
  if (role.kind === "operation") yield { node: call ?? node, message: call === undefined ? "passed" : "nested", data };
  else if (role.kind === "step" && isHandedOn(outer, roles)) yield { node, message: "passed", data };
  else if (role.kind === "member" && OWN_TO_WORKFLOW_CODE.has(role.name))
    yield { node: call ?? node, message: "ownToWorkflow", data };
}

/** Taken apart, or given to a function that is looked into, it is seen where it is used. */
function isHandedOn(outer: Node | undefined, roles: RoleFinder): boolean {
  if (outer?.type === "VariableDeclarator") return false;
  return outer?.type !== "CallExpression" || roles.localFunctionOf(outer.callee) === undefined;
}

function notInspected(call: ast.CallExpression, argument: Node, file: Inspected): Finding<Message> {
  const text = file.textOf(argument);
  const isRollback = call.arguments.indexOf(argument as ast.Argument) === 2;
  const parameters = isRollback ? "value, context" : "context";
  const wrapped = `(${parameters}) => ${text}(${parameters})`;
  const finding = {
    node: argument,
    message: "notInspected",
    data: { step: stepInWords(call, file), wrapped },
  } as const;
  const value = unwrapped(argument);
  // A call that makes the function may not be repeated in each attempt, and other forms read badly.
  if (value.type !== "Identifier" && value.type !== "MemberExpression") return finding;
  return { ...finding, suggestions: [{ message: "wrap", data: { wrapped }, edits: [replacing(argument, wrapped)] }] };
}
