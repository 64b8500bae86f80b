import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

testRule("unique-step-name", rules["unique-step-name"], {
  valid: {
    "S70 accepts steps with names of their own": workflow(
      `await step.run("charge", charge); await step.run("ship", store); await step.fetch("ping", "https://shop.example");`,
    ),
    "accepts one step in a loop": workflow(`for (const id of input.ids) await step.run("charge", () => charge(id));`),
    "accepts one step in a function that is called twice": workflow(`
      const charging = (id: string) => step.run("charge", () => charge(id));
      await charging("a");
      await charging("b");`),
    "accepts one name in two workflows": `import { defineWorkflow } from "stepwell";
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("charge", () => 1); });
defineWorkflow({ name: "b" }, async ({ step }) => { await step.run("charge", () => 1); });`,
    "accepts one name in a workflow and in a function that it does not call": `import { defineWorkflow, type WorkflowContext } from "stepwell";
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("charge", () => 1); });
export async function other({ step }: WorkflowContext) { await step.run("charge", () => 1); }`,
    "leaves computed names to step-name": workflow(
      "await step.run(`charge-${input.a}`, charge); await step.run(`charge-${input.a}`, charge);",
    ),
    "takes a sleep for no step": workflow(`await sleep("1s"); await sleep("1s");`),
  },
  invalid: {
    "S70 reports two steps with one literal name in a workflow": {
      code: workflow(`await step.run("charge", charge);\nawait step.run("charge", store);`),
      errors: [{ messageId: "repeated", data: { name: "charge", line: "4" }, line: 5, column: 16 }],
    },
    "S70 reports it in either form, and in every kind of step": {
      code: workflow(`
await step.run({ name: "charge" }, charge);
await step.run("charge", charge);
await step.fetch({ name: "charge", timeout: "5s" }, "https://shop.example");`),
      errors: [
        { messageId: "repeated", line: 6 },
        { messageId: "repeated", line: 7 },
      ],
    },
    "S70 reports it in branches, where the journal does not tell them apart either": {
      code: workflow(`if (input.express) await step.run("ship", charge);\nelse await step.run("ship", store);`),
      errors: [{ messageId: "repeated", line: 5 }],
    },
    "S70 reports it across the functions of the file that a workflow calls": {
      code: `import { defineWorkflow, type WorkflowContext } from "stepwell";
const charging = async ({ step }: WorkflowContext) => { await step.run("charge", () => 1); };
defineWorkflow({ name: "a" }, async (context) => {
  await context.step.run("charge", () => 1);
  await charging(context);
});`,
      errors: [{ messageId: "repeated", data: { name: "charge", line: "2" }, line: 4 }],
    },
    "reports it once, however many workflows call the function": {
      code: `import { defineWorkflow, type WorkflowContext } from "stepwell";
defineWorkflow({ name: "a" }, async (context) => { await charging(context); });
defineWorkflow({ name: "b" }, async (context) => { await charging(context); });
async function charging({ step }: WorkflowContext) {
  await step.run("charge", () => 1);
  await step.run("charge", () => 2);
}`,
      errors: [{ messageId: "repeated", line: 6 }],
    },
  },
});
