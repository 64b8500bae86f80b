import { expect, it } from "vitest";
import { rules } from "../../src/lint/index.ts";
import { FREE_MEMBERS, OPERATIONS, OWN_TO_WORKFLOW_CODE } from "../../src/lint/workflow/members.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";
import { testRule } from "./test-rule.ts";

const HEAD = `import { defineWorkflow, type WorkflowContext, type ContextOf, type Step } from "stepwell";\n`;
const NAMED = { errors: [{ messageId: "notKebabCase", suggestions: 1 }] };

/** A function that is given a part of a context, in some way. */
function taking(code: string) {
  return { code: HEAD + code, ...NAMED };
}

testRule("recognition", rules["step-name"], {
  valid: {
    "takes a function of another package for what it is": `import { defineWorkflow } from "openworkflow";
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Not Ours", () => 1); });`,
    "takes a local function called defineWorkflow for what it is": `function defineWorkflow(options, run) { return run; }
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Not Ours", () => 1); });`,
    "takes types of others that are called so for what they are": `import type { Step, WorkflowContext } from "other";
export const a = (step: Step) => step.run("Not Ours", () => 1);
export const b = (context: WorkflowContext) => context.step.run("Not Ours", () => 1);`,
    "takes the context of a step for what it is": `${HEAD}
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("a", (step) => step.run("Not Ours", () => 1)); });`,
    "ends at types that name themselves": `${HEAD}
type A = { next: A } | B; type B = A; interface C extends A, D { d: C } interface D extends C {}
export const f = (a: A, c: C, ...rest: B[]) => a.run("Not Ours");`,
    "ends at values that name themselves": `${HEAD}
const a = b, b = a; let c = c;
defineWorkflow({ name: "a" }, async () => { a.run("Not Ours"); b(); c.x(); });`,
    "leaves functions that it cannot find": `${HEAD}import { run } from "./run.ts";
defineWorkflow({ name: "a" }, run); defineWorkflow({ name: "b" }); defineWorkflow(...[]);`,
    "leaves members that it cannot know": `${HEAD}
defineWorkflow({ name: "a" }, async (context) => { context[context.input.x].run("Not Ours"); const [a] = context; a.run("Not Ours"); });`,
    "leaves what a module passes on unless it is told so": `import { defineWorkflow } from "./flows.ts";
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Not Ours", () => 1); });`,
  },
  invalid: {
    "knows defineWorkflow under another name": {
      code: `import { defineWorkflow as workflow } from "stepwell";
workflow({ name: "a" }, async ({ step }) => { await step.run("Ship It", () => 1); });`,
      ...NAMED,
    },
    "knows defineWorkflow as a member of the package": {
      code: `import * as stepwell from "stepwell";
stepwell.defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Ship It", () => 1); });`,
      ...NAMED,
    },
    "knows defineWorkflow in code that shows no imports": {
      code: `defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Ship It", () => 1); });`,
      ...NAMED,
    },
    "knows modules that it is told of": {
      code: `import { defineWorkflow } from "./flows.ts";
defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("Ship It", () => 1); });`,
      settings: { stepwell: { modules: ["./flows.ts"] } },
      ...NAMED,
    },
    "knows a workflow with a spec": taking(
      `import { spec } from "./spec.ts"; export const a = defineWorkflow(spec, async ({ step }) => { await step.run("Ship It", () => 1); });`,
    ),
    "knows a workflow with types by hand": taking(
      `defineWorkflow<Input, Output>({ name: "a" }, async function ({ step }) { await step.run("Ship It", () => 1); });`,
    ),
    "knows a function that is declared apart": taking(
      `async function run({ step }) { await step.run("Ship It", () => 1); } defineWorkflow({ name: "a" }, run);`,
    ),
    "knows a function in a constant, with a type around it": taking(
      `const run = (async ({ step }) => { await step.run("Ship It", () => 1); }) as never; defineWorkflow({ name: "a" }, run!);`,
    ),
    "knows a context that is not taken apart": taking(
      `defineWorkflow({ name: "a" }, async (context) => { await context.step.run("Ship It", () => 1); });`,
    ),
    "knows a context that is taken apart later": taking(
      `defineWorkflow({ name: "a" }, async (context) => { const { step: { run } } = context; await run("Ship It", () => 1); });`,
    ),
    "knows members under other names and by texts": taking(
      `defineWorkflow({ name: "a" }, async ({ "step": work = undefined }) => { await work["run"]("Ship It", () => 1); });`,
    ),
    "knows the rest of a context": taking(
      `defineWorkflow({ name: "a" }, async ({ input, ...rest }) => { await rest.step.run("Ship It", () => 1); });`,
    ),
    "knows what names stand for": taking(
      `defineWorkflow({ name: "a" }, async (context) => { const step = context?.step ?? other, run = step.run; await run("Ship It", () => 1); });`,
    ),
    "knows a choice": taking(
      `defineWorkflow({ name: "a" }, async (context) => { let work; const step = context.input ? context.step : (work = context.step); await step.run("Ship It", () => 1); });`,
    ),
    "knows a function that takes a WorkflowContext": taking(
      `export async function f({ step }: WorkflowContext) { await step.run("Ship It", () => 1); }`,
    ),
    "knows a function that takes the context of one workflow": taking(
      `export const f = async (id: string, context: ContextOf<typeof order>) => { await context.step.run("Ship It", () => 1); };`,
    ),
    "knows a function that takes a part of a context": taking(
      `export const f = async ({ step }: Readonly<Pick<WorkflowContext, "step">>) => { await step.run("Ship It", () => 1); };`,
    ),
    "knows a function that takes step": taking(
      `export const f = async (step: Step) => { await step.run("Ship It", () => 1); };`,
    ),
    "knows a member's type": taking(
      `export const f = async (step: WorkflowContext["step"]) => { await step.run("Ship It", () => 1); };`,
    ),
    "knows an object of members": taking(
      `export const f = async ({ work }: { readonly work: Step; readonly id: string }) => { await work.run("Ship It", () => 1); };`,
    ),
    "knows a context with more": taking(
      `export const f = async ({ step }: { id: string } & WorkflowContext) => { await step.run("Ship It", () => 1); };`,
    ),
    "knows a context that may be absent": taking(
      `export const f = async (context: WorkflowContext | undefined = undefined) => { await context?.step.run("Ship It", () => 1); };`,
    ),
    "knows an alias of a type": taking(
      `type Context = ContextOf<typeof order>; export const f = async (context: Context) => { await context.step.run("Ship It", () => 1); };`,
    ),
    "knows an interface that extends the context": taking(
      `interface Context extends WorkflowContext { id: string } export const f = async (context: Context) => { await context.step.run("Ship It", () => 1); };`,
    ),
    "knows an interface with a member of it": taking(
      `interface Shop { readonly step: Step } export const f = async ({ step }: Shop) => { await step.run("Ship It", () => 1); };`,
    ),
    "knows a type by its module": {
      code: `import type * as stepwell from "stepwell";
export const f = async (context: stepwell.WorkflowContext) => { await context.step.run("Ship It", () => 1); };`,
      ...NAMED,
    },
    "knows a type that is imported where it stands": {
      code: `export const f = async (context: import("stepwell").WorkflowContext) => { await context.step.run("Ship It", () => 1); };`,
      ...NAMED,
    },
    "knows a method, and what a constructor takes": taking(
      `export class Shop { constructor(readonly step: Step) { step.run("Ship It", () => 1); } }`,
    ),
    "knows a variable of such a type": taking(
      `export async function f() { let step: Step; const context: WorkflowContext = await make(); await context.step.run("Ship It", () => 1); }
export async function g(step: Step) { await step.run("g", () => 1); }`,
    ),
    "knows what a function of the file is given": taking(
      `defineWorkflow({ name: "a" }, async (context) => { await f(context.input, context); await g({ work: context.step, ...context.input }); });
async function f(input, { step }) { await step.run("ship-it", () => input); }
const g = async ({ work }) => { await work.run("Ship It", () => 1); };`,
    ),
    "knows what a function is given by one that was given it": taking(
      `const last = async (step) => { await step.run("Ship It", () => 1); };
const middle = async (given) => { await last(given.step); };
defineWorkflow({ name: "a" }, async (context) => { await middle({ ...context }); });`,
    ),
    "knows closures that a function returns": taking(
      `export const shop = ({ step }: WorkflowContext) => ({ ship: () => step.run("Ship It", () => 1) });`,
    ),
    "knows a workflow that a function makes": taking(
      `export const make = (name: string) => defineWorkflow({ name }, async ({ step }) => { await step.run("Ship It", () => 1); });`,
    ),
    "knows a parameter beside lists, objects and rests": taking(
      `export const f = async ([a, ...b]: string[], { c: { d }, ...e }: Other, step: Step, ...rest: string[]) => { await step.run("Ship It", () => [a, b, d, e, rest]); };`,
    ),
    "knows a function with overloads": taking(
      `export function f(context: WorkflowContext): void;
export function f(context: WorkflowContext, id?: string): void { void context.step.run("Ship It", () => id); }`,
    ),
  },
});

it("settings that are no list of modules are refused with the value", async () => {
  const { Linter } = await import("eslint");
  const config = {
    plugins: { stepwell: { rules } },
    rules: { "stepwell/step-name": "error" },
    settings: { stepwell: { modules: "./flows.ts" } },
  } as const;
  expect(() => new Linter().verify("defineWorkflow();", config)).toThrow(
    'Cannot use settings.stepwell.modules as it must be a list of module names: current value is "./flows.ts"',
  );
});

it("every member of a workflow's context is known, as an operation or as what it is else", async () => {
  let members: readonly string[] = [];
  const workflow = defineWorkflow({ name: "members" }, async (context) => {
    members = Object.keys(context);
    expect(Object.keys(context.step)).toEqual(["run", "fetch"]);
  });
  await new MemoryHost({ workflows: [workflow] }).start(workflow);
  expect(members).toContain("sleep");
  const known = new Set(["step", ...OPERATIONS, ...OWN_TO_WORKFLOW_CODE, ...FREE_MEMBERS]);
  expect(members.filter((member) => !known.has(member))).toEqual([]);
});
