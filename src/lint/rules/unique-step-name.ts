import { defineRule } from "../rule.ts";
import { rangeOf } from "../syntax/edit.ts";
import type { Node } from "../syntax/node.ts";
import { stepNameOf } from "../workflow/step-names.ts";
import type { Root } from "../workflow/roots.ts";
import type { WorkflowCode } from "../workflow/workflow-code.ts";

type Message = "repeated";

export const uniqueStepName = defineRule<Message>({
  name: "unique-step-name",
  description: "Disallow two steps of one name in a workflow",
  type: "suggestion",
  messages: {
    repeated:
      'Cannot tell two steps by the name "{{name}}", which the step in line {{line}} has already: the journal would call them {{name}} and {{name}}#2 in the order of the calls.',
  },
  *find({ code, lineOf }) {
    const reported = new Set<Node>();
    for (const root of rootsOf(code)) {
      const firstByName = new Map<string, Node>();
      for (const { name, node } of namesIn(root, code)) {
        const first = firstByName.get(name) ?? node;
        firstByName.set(name, first);
        if (first === node || reported.has(node)) continue;
        reported.add(node);
        yield { node, message: "repeated", data: { name, line: String(lineOf(first)) } };
      }
    }
  },
});

function rootsOf({ regions }: WorkflowCode): ReadonlySet<Root> {
  return new Set([...regions.rootsByFunction.values()].flatMap((roots) => [...roots]));
}

interface Named {
  readonly name: string;
  readonly node: Node;
}

/** The literal names in all that one workflow calls, in the order of the code. */
function namesIn(root: Root, { regions, ownNodes, roles, names }: WorkflowCode): readonly Named[] {
  const functions = [...regions.rootsByFunction].filter(([, roots]) => roots.has(root)).map(([fn]) => fn);
  return functions
    .flatMap((fn) => ownNodes(fn))
    .flatMap((node): readonly Named[] => {
      if (node.type !== "CallExpression" || !(roles.operationOf(node)?.startsWith("step.") ?? false)) return [];
      const step = stepNameOf(node, names);
      return step?.kind === "literal" ? [{ name: step.name, node: step.node }] : [];
    })
    .toSorted((a, b) => rangeOf(a.node)[0] - rangeOf(b.node)[0]);
}
