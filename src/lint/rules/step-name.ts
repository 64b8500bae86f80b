import { LIMITS } from "../../limits.ts";
import { WORKFLOW_NAME } from "../../steps/names.ts";
import { defineRule, type Finding, type Inspected } from "../rule.ts";
import { replacing } from "../syntax/edit.ts";
import type { Node } from "../syntax/node.ts";
import { kebabCased, stepNameOf } from "../workflow/step-names.ts";

type Message = "computed" | "empty" | "tooLong" | "notKebabCase" | "missing" | "write" | "rename";

export const stepName = defineRule<Message>({
  name: "step-name",
  description: "Require the name of a step to be a kebab-case literal",
  type: "suggestion",
  messages: {
    computed:
      "Cannot use {{text}} as the name of a step as it must be a literal: the name is how the journal, metrics and people know the step.",
    empty: "Cannot use an empty name for a step as it must have 1 to {{limit}} characters.",
    tooLong: "Cannot use a name of {{length}} characters for a step as it must have 1 to {{limit}}.",
    notKebabCase: 'Cannot use "{{name}}" as the name of a step as it must be kebab-case, as in "charge-card".',
    missing: "Cannot run a step without a name: add `name`.",
    write: 'Write "{{name}}" here.',
    rename: 'Rename the step to "{{name}}". Executions that run already know it by its old name.',
  },
  hasSuggestions: true,
  *find(file) {
    const { nodes, roles, names } = file.code;
    for (const node of nodes) {
      if (node.type !== "CallExpression" || !(roles.operationOf(node)?.startsWith("step.") ?? false)) continue;
      const step = stepNameOf(node, names);
      switch (step?.kind) {
        case "literal":
          yield* faultsOf(step.name, step.node);
          break;
        case "computed":
          yield computed(step.node, step.constant, file);
          break;
        case "missing":
          yield { node: step.node, message: "missing" };
          break;
        case undefined:
          break;
      }
    }
  },
});

function computed(node: Node, constant: string | undefined, { textOf }: Inspected): Finding<Message> {
  const finding = { node, message: "computed", data: { text: textOf(node) } } as const;
  if (constant === undefined) return finding;
  // `{ name }` is the property's key as well.
  const isShorthand = node.parent?.type === "Property" && node.parent.shorthand;
  const text = `${isShorthand ? "name: " : ""}${JSON.stringify(constant)}`;
  return {
    ...finding,
    suggestions: [{ message: "write", data: { name: constant }, edits: [replacing(node, text)] }],
  };
}

function* faultsOf(name: string, node: Node): Iterable<Finding<Message>> {
  const limit = String(LIMITS.stepNameLength);
  if (name === "") yield { node, message: "empty", data: { limit } };
  else if (name.length > LIMITS.stepNameLength)
    yield { node, message: "tooLong", data: { limit, length: String(name.length) } };
  else if (!WORKFLOW_NAME.test(name)) yield notKebabCase(name, node);
}

function notKebabCase(name: string, node: Node): Finding<Message> {
  const finding = { node, message: "notKebabCase", data: { name } } as const;
  const better = kebabCased(name);
  if (better === undefined) return finding;
  // No fix by itself: an execution whose journal has the old name would pause with `JOURNAL_MISMATCH`.
  const edits = [replacing(node, JSON.stringify(better))];
  return { ...finding, suggestions: [{ message: "rename", data: { name: better }, edits }] };
}
