import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

const ALL = "context";

testRule("no-nested-step", rules["no-nested-step"], {
  valid: {
    "S69 accepts a callback that asks for nothing": workflow(
      `await step.run("charge", async ({ signal }) => { const paid = await charge(signal); return format(paid); });`,
    ),
    "S69 looks into one local function": workflow(`
      async function charging() { return await charge(); }
      await step.run("charge", charging);`),
    "S69 looks into one local function of the module": `
      const charging = async () => 1;
      ${workflow(`await step.run("charge", charging);`)}`,
    "accepts a step after a step, and in branches": workflow(`
      const paid = await step.run("charge", () => charge());
      if (paid) await step.run("ship", () => store()); else await sleep("1s");`),
    "accepts what steps may use of the context": workflow(
      `await step.run("charge", () => { log.info("x"); if (!input.a) throw errors.NO({}); return charge(env.KEY, execution.id); });`,
      "{ step, input, env, errors, log, execution }",
    ),
    "accepts another step of the same name of a variable": workflow(
      `await step.run("charge", () => { const step = { run: (name: string) => name }; return step.run("x"); });`,
    ),
    "looks into the functions of a choice": workflow(
      `await step.run("charge", () => charge(), input.risky ? (id) => refund(id) : undefined);`,
    ),
    "accepts no rollback": workflow(`await step.run("charge", () => charge(), undefined);`),
    "looks into what every call of a function gives it": workflow(`
      const retrying = (fn: () => Promise<number>) => step.run("charge", fn);
      await retrying(async () => 1);
      await retrying(() => charge());`),
    "looks into a method of an object of the file": workflow(`
      const shop = { charge: () => charge(), async refund() { await refund(); } };
      await step.run("charge", shop.charge, shop.refund);`),
    "leaves what it cannot look into alone if it is told so": {
      code: workflow(`await step.run("charge", charge, refund);`),
      options: [{ uninspected: "ignore" }],
    },
    "accepts a function of an operation that takes one for other reasons": workflow(
      `await Promise.all(input.ids.map((id) => step.run("charge", () => charge(id))));`,
    ),
  },
  invalid: {
    "S69 reports a step inside a step's callback": {
      code: workflow(`await step.run("outer", async () => {\n  await step.run("inner", () => charge());\n});`),
      errors: [{ messageId: "nested", data: { operation: "step.run", step: "step outer" }, line: 5, column: 9 }],
    },
    "S69 reports a step inside the callback of a step in the long form": {
      code: workflow(`await step.run({ name: "outer" }, () => step.fetch("inner", "https://shop.example"));`),
      errors: [{ messageId: "nested", data: { operation: "step.fetch", step: "step outer" } }],
    },
    "S69 reports every other operation there": {
      code: workflow(
        `await step.run("outer", async () => {
  await context.sleep("1s");
  await context.sleepUntil(0);
  await context.awaitSignal("go");
  await context.createCallback();
  await context.startExecution("other");
  await context.awaitExecution(input.ref);
  await context.runExecution("other");
  await context.signalExecution(input.ref, "go");
  await context.cancelExecution(input.ref);
});`,
        ALL,
      ).replaceAll("step.run", "context.step.run"),
      errors: Array.from({ length: 9 }, (_, index) => ({ messageId: "nested", line: 5 + index })),
    },
    "S69 reports a step in a rollback": {
      code: workflow(`await step.run("outer", () => 1, async () => { await step.run("undo", () => 2); });`),
      errors: [{ messageId: "nested" }],
    },
    "S69 reports a step in a local function that is the callback": {
      code: workflow(`
async function charging() { await step.run("inner", () => charge()); }
await step.run("outer", charging);`),
      errors: [{ messageId: "nested", line: 5 }],
    },
    "S69 reports a step in a local function that the callback calls": {
      code: workflow(`
const charging = () => step.run("inner", () => charge());
await step.run("outer", async () => { await charging(); });`),
      errors: [{ messageId: "nested", line: 5 }],
    },
    "S69 reports a step in a function that the callback gives the context": {
      code: `import { defineWorkflow } from "stepwell";
defineWorkflow({ name: "order" }, async (context) => {
  await context.step.run("outer", () => charging(context, 1));
});
async function charging(given, id) { await given.step.run("inner", () => id); }`,
      errors: [{ messageId: "nested", line: 5 }],
    },
    "S69 reports a step in a list that the callback goes over": {
      code: workflow(`await step.run("outer", () => Promise.all(input.ids.map((id) => step.run("inner", () => id))));`),
      errors: [{ messageId: "nested" }],
    },
    "S69 reports a step three levels deep once": {
      code: workflow(`
await step.run("a", async () => {
  await step.run("b", async () => {
    await step.run("c", () => 1);
  });
});`),
      errors: [
        { messageId: "nested", data: { operation: "step.run", step: "step a" }, line: 6 },
        { messageId: "nested", data: { operation: "step.run", step: "step b" }, line: 7 },
      ],
    },
    "reports a step that is handed on inside a callback": {
      code: workflow(`await step.run("outer", () => charge(step));`),
      errors: [{ messageId: "passed", data: { operation: "step", step: "step outer" } }],
    },
    "reports an operation that is handed on inside a callback": {
      code: workflow(`await step.run("outer", () => charge(sleep));`),
      errors: [{ messageId: "passed", data: { operation: "sleep", step: "step outer" } }],
    },
    "reports what else belongs to the workflow's own code": {
      code: workflow(
        `await step.run("outer", () => { setProgress(1); setAttributes({}); return [now(), random(), uuid(), patched("x")]; });`,
        "{ step, setProgress, setAttributes, now, random, uuid, patched }",
      ),
      errors: ["setProgress", "setAttributes", "now", "random", "uuid", "patched"].map((operation) => ({
        messageId: "ownToWorkflow",
        data: { operation, step: "step outer" },
      })),
    },
    "S69 reports an imported function as not inspected, and suggests to call it": {
      code: workflow(`await step.run("outer", charge, refund);`),
      errors: [
        {
          messageId: "notInspected",
          data: { step: "step outer", wrapped: "(context) => charge(context)" },
          line: 4,
          column: 25,
          suggestions: [
            {
              messageId: "wrap",
              output: workflow(`await step.run("outer", (context) => charge(context), refund);`),
            },
          ],
        },
        {
          messageId: "notInspected",
          suggestions: [
            {
              messageId: "wrap",
              output: workflow(`await step.run("outer", charge, (value, context) => refund(value, context));`),
            },
          ],
        },
      ],
    },
    "S69 reports a function that a call makes as not inspected": {
      code: workflow(`await step.run("outer", charge.bind(null, 1));`),
      errors: [{ messageId: "notInspected", suggestions: [] }],
    },
    "S69 reports a choice of functions as not inspected": {
      code: workflow(`const a = () => 1, b = () => 2; await step.run("outer", input.express ? a : b);`),
      errors: [{ messageId: "notInspected", suggestions: [] }],
    },
    "S69 reports a step in the functions of a choice": {
      code: workflow(
        `await step.run("outer", input.a ? async () => { await sleep("1s"); } : () => step.run("inner", () => 1));`,
      ),
      errors: [{ messageId: "nested" }, { messageId: "nested" }],
    },
    "S69 reports a function that is assigned twice as not inspected": {
      code: workflow(`let work = () => 1; if (input.express) work = () => 2; await step.run("outer", work);`),
      errors: [{ messageId: "notInspected", suggestions: 1 }],
    },
    "S69 reports what a function is given from elsewhere as not inspected": {
      code: `import type { Step } from "stepwell";
export async function retrying(step: Step, work: () => Promise<number>) { await step.run("outer", work); }`,
      errors: [{ messageId: "notInspected", suggestions: 1 }],
    },
    "S69 reports a step in what every call of a function gives it": {
      code: workflow(`
const retrying = (fn: () => Promise<number>) => step.run("outer", fn);
await retrying(() => step.run("inner", () => 1));`),
      errors: [{ messageId: "nested", line: 6 }],
    },
  },
});
