import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

testRule("step-name", rules["step-name"], {
  valid: {
    "S68 accepts a kebab-case literal": workflow(`await step.run("charge-card", () => charge());`),
    "S68 accepts a kebab-case literal in the long form": workflow(
      `await step.run({ name: "charge-card", timeout: "5s" }, () => charge());`,
    ),
    "S68 accepts a kebab-case literal of step.fetch": workflow(`await step.fetch("ping", "https://shop.example");`),
    "accepts digits, and a name of one letter": workflow(
      `await step.run("x", charge); await step.run("v2-retry", charge);`,
    ),
    "accepts a template without expressions": workflow("await step.run(`charge-card`, charge);"),
    "accepts a literal with a type": workflow(`await step.run("charge-card" as const, charge);`),
    "accepts a name of 128 characters": workflow(`await step.run("${"a".repeat(128)}", charge);`),
    "reads the long form where it is a constant of the file": `const terms = { name: "charge-card" } as const;
${workflow("await step.run(terms, charge);")}`,
    "reads the name that follows what is spread": workflow(
      `const terms = { timeout: "5s" }; await step.run({ ...terms, name: "charge-card" }, charge);`,
    ),
    "leaves other things alone that are called step": `import { defineWorkflow } from "other";
defineWorkflow({ name: "order" }, async ({ step }) => { await step.run("Not Ours", () => 1); });`,
    "leaves other methods alone": workflow(`const runner = { run: (name) => name }; runner.run("Not Ours");`),
    "leaves a call without arguments to the compiler": workflow("await step.run();"),
  },
  invalid: {
    "S68 reports an empty name": {
      code: workflow(`await step.run("", charge);`),
      errors: [{ messageId: "empty", line: 4, column: 16 }],
    },
    "S68 reports an empty name in the long form": {
      code: workflow(`await step.run({ name: "" }, charge);`),
      errors: [{ messageId: "empty" }],
    },
    "S68 reports a name that is not kebab-case, and suggests one": {
      code: workflow(`await step.run("chargeCard", charge);`),
      errors: [
        {
          messageId: "notKebabCase",
          data: { name: "chargeCard" },
          suggestions: [{ messageId: "rename", output: workflow(`await step.run("charge-card", charge);`) }],
        },
      ],
    },
    "S68 reports a name that is not kebab-case in the long form": {
      code: workflow(`await step.run({ name: "Charge Card", timeout: "5s" }, charge);`),
      errors: [
        {
          messageId: "notKebabCase",
          suggestions: [
            {
              messageId: "rename",
              output: workflow(`await step.run({ name: "charge-card", timeout: "5s" }, charge);`),
            },
          ],
        },
      ],
    },
    "S68 reports the name of a step.fetch": {
      code: workflow(`await step.fetch("HTTPPing", "https://shop.example");`),
      errors: [
        {
          messageId: "notKebabCase",
          suggestions: [
            { messageId: "rename", output: workflow(`await step.fetch("http-ping", "https://shop.example");`) },
          ],
        },
      ],
    },
    "suggests nothing for a name of which nothing is left": {
      code: workflow(`await step.run("注文", charge);`),
      errors: [{ messageId: "notKebabCase", suggestions: [] }],
    },
    "S68 reports a computed name": {
      code: workflow("for (const id of input.ids) await step.run(`charge-${id}`, charge);"),
      errors: [{ messageId: "computed", data: { text: "`charge-${id}`" }, suggestions: [] }],
    },
    "S68 reports a computed name in the long form": {
      code: workflow(`for (const id of input.ids) await step.run({ name: "charge-" + id }, charge);`),
      errors: [{ messageId: "computed", data: { text: `"charge-" + id` } }],
    },
    "S68 reports a chosen name": {
      code: workflow(`await step.run(input.express ? "ship-fast" : "ship", charge);`),
      errors: [{ messageId: "computed" }],
    },
    "S68 reports the name of a constant, and suggests to write it": {
      code: workflow(`const NAME = "charge-card"; await step.run(NAME, charge);`),
      errors: [
        {
          messageId: "computed",
          data: { text: "NAME" },
          suggestions: [
            {
              messageId: "write",
              output: workflow(`const NAME = "charge-card"; await step.run("charge-card", charge);`),
            },
          ],
        },
      ],
    },
    "S68 reports the short form of a property, and suggests to write it": {
      code: workflow(`const name = "charge-card"; await step.run({ name }, charge);`),
      errors: [
        {
          messageId: "computed",
          suggestions: [
            {
              messageId: "write",
              output: workflow(`const name = "charge-card"; await step.run({ name: "charge-card" }, charge);`),
            },
          ],
        },
      ],
    },
    "S68 reports a name that may come from what is spread": {
      code: workflow(`await step.run({ name: "charge-card", ...input.terms }, charge);`),
      errors: [{ messageId: "computed", data: { text: "...input.terms" } }],
    },
    "S68 reports a name that a function is given": {
      code: `import type { WorkflowContext } from "stepwell";
export async function charging({ step }: WorkflowContext, name: string) { await step.run(name, () => 1); }`,
      errors: [{ messageId: "computed", line: 2 }],
    },
    "reports the long form without a name": {
      code: workflow(`await step.run({ timeout: "5s" }, charge);`),
      errors: [{ messageId: "missing" }],
    },
    "reports a name of more than 128 characters": {
      code: workflow(`await step.run("${"a".repeat(129)}", charge);`),
      errors: [{ messageId: "tooLong", data: { limit: "128", length: "129" } }],
    },
    "reports a step in a step as well": {
      code: workflow(`await step.run("outer", async () => { await step.run("Inner", charge); });`),
      errors: [{ messageId: "notKebabCase", suggestions: 1 }],
    },
  },
});
