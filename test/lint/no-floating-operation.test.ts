import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

const ALL = "context";

/** A line before, and the same after the suggestion was taken. */
function awaiting(messageId: string, [before, after]: readonly [string, string], context?: string) {
  const isList = after.includes("Promise.all") && !before.includes("Promise.all");
  const suggestion = isList ? "awaitAll" : "await";
  return {
    code: workflow(before, context),
    errors: [{ messageId, suggestions: [{ messageId: suggestion, output: workflow(after, context) }] }],
  };
}

testRule("no-floating-operation", rules["no-floating-operation"], {
  valid: {
    "S70 accepts what is awaited, returned or combined": workflow(`
      await step.run("a", charge);
      const [b, c] = await Promise.all([step.run("b", charge), step.fetch("c", "https://shop.example")]);
      if (b) return step.run("d", charge);
      return await Promise.race([sleep("1h"), awaitSignal("go")]);`),
    "accepts a promise that is awaited later": workflow(`
      const charging = step.run("charge", charge);
      await sleep("1s");
      await charging;`),
    "accepts promises that are collected": workflow(`
      const open = [];
      for (const id of input.ids) open.push(step.run("charge", () => charge(id)));
      await Promise.all(open);`),
    "accepts a list of promises that is combined": workflow(
      `await Promise.allSettled(input.ids.map(async (id) => { await step.run("charge", () => charge(id)); }));`,
    ),
    "accepts a promise that is given on, or kept in an object": workflow(`
      const work = { charging: step.run("charge", charge) };
      await store(sleep("1s"));
      await work.charging;`),
    "accepts a promise that is chosen or chained": workflow(`
      const shipped = await (input.express ? step.run("fast", charge) : step.run("slow", charge));
      await step.run("mail", charge).then(() => shipped).finally(() => 1);
      input.express && (await sleep("1s"));`),
    "accepts what is no operation": workflow(`
      errors.NO({});
      format(input);
      void input;
      input.ids.forEach((id) => { format(id); });`),
    "accepts members of the context that wait for nothing": workflow(
      `setProgress(1); setAttributes({ a: 1 }); log.info("x"); now(); uuid();`,
      "{ setProgress, setAttributes, log, now, uuid }",
    ),
    "accepts the call of a local function that asks for nothing": workflow(`
      const show = async () => { format(input); };
      show();`),
    "accepts a list of promises that is used as a list": workflow(`
      const open = input.ids.map((id) => step.run("charge", () => charge(id)));
      if (open.length > 0) await Promise.all(open);`),
    "accepts chains that settle a promise of one's own": workflow(`
      const charging = step.run("charge", charge);
      await new Promise((resolve, reject) => { charging.then(resolve, reject); void sleep("1s").then(() => resolve(1)); });`),
    "accepts an operation at the end of a list of expressions, and in for await": workflow(
      `const paid = (format(input), step.run("charge", charge)); await paid; for await (const one of [sleep("1s")]) format(one);`,
    ),
    "accepts the name of a promise that another one is made of": workflow(`
      const open = input.a ? [step.run("a", charge)] : [...input.open, sleep("1s")];
      const winner = Promise.race(input.b ?? open);
      await winner;`),
    "leaves what is explicitly left if it is told so": {
      code: workflow(`void step.run("charge", charge);`),
      options: [{ allowVoid: true }],
    },
    "leaves promises in steps to others": workflow(`await step.run("charge", async () => { charge(); });`),
  },
  invalid: {
    "S70 reports a step that is not awaited": {
      code: workflow(`step.run("charge", charge);`),
      errors: [
        {
          messageId: "floating",
          data: { text: "step.run(…)" },
          line: 4,
          column: 1,
          suggestions: [{ messageId: "await", output: workflow(`await step.run("charge", charge);`) }],
        },
      ],
    },
    "reports a step.fetch that is not awaited": awaiting("floating", [
      `step.fetch("ping", "https://shop.example");`,
      `await step.fetch("ping", "https://shop.example");`,
    ]),
    "reports every other operation that is not awaited": {
      code: workflow(
        `context.sleep("1s");
context.sleepUntil(0);
context.awaitSignal("go");
context.createCallback();
context.startExecution("other");
context.awaitExecution(input.ref);
context.runExecution("other");
context.signalExecution(input.ref, "go");
context.cancelExecution(input.ref);`,
        ALL,
      ),
      errors: Array.from({ length: 9 }, (_, index) => ({ messageId: "floating", line: 4 + index, suggestions: 1 })),
    },
    "reports the result of a callback that is not awaited": awaiting(
      "floating",
      [
        `const callback = await context.createCallback(); callback.result();`,
        `const callback = await context.createCallback(); await callback.result();`,
      ],
      ALL,
    ),
    "reports what is explicitly left": awaiting("floating", [
      `void step.run("charge", charge);`,
      `await step.run("charge", charge);`,
    ]),
    "reports an operation at the end of a condition": awaiting("floating", [
      `input.express && sleep("1s");`,
      `input.express && await sleep("1s");`,
    ]),
    "reports an operation in a branch of a choice": awaiting("floating", [
      `input.express ? format(input) : sleep("1s");`,
      `input.express ? format(input) : await sleep("1s");`,
    ]),
    "reports a chain that is not awaited": awaiting("floating", [
      `step.run("charge", charge).catch(() => undefined);`,
      `await step.run("charge", charge).catch(() => undefined);`,
    ]),
    "reports a combination that is not awaited": awaiting("floating", [
      `Promise.all([step.run("a", charge), sleep("1s")]);`,
      `await Promise.all([step.run("a", charge), sleep("1s")]);`,
    ]),
    "reports a combination of a list that is not awaited": awaiting("floating", [
      `const open = input.ids.map((id) => step.run("a", () => charge(id))); Promise.race(open);`,
      `const open = input.ids.map((id) => step.run("a", () => charge(id))); await Promise.race(open);`,
    ]),
    "reports the call of an async function that asks for operations": awaiting("floating", [
      `const ship = async () => { await sleep("1s"); await step.run("ship", charge); }; ship();`,
      `const ship = async () => { await sleep("1s"); await step.run("ship", charge); }; await ship();`,
    ]),
    "reports the call of a function that returns an operation": awaiting("floating", [
      `const ship = () => step.run("ship", charge); ship();`,
      `const ship = () => step.run("ship", charge); await ship();`,
    ]),
    "reports an async function that is called where it stands": awaiting("floating", [
      `(async () => { await sleep("1s"); })();`,
      `await (async () => { await sleep("1s"); })();`,
    ]),
    "reports the call of a function of the file that is given the context": {
      code: `import { defineWorkflow, type WorkflowContext } from "stepwell";
defineWorkflow({ name: "order" }, async (context) => { notify(context); });
async function notify({ step }: WorkflowContext) { await step.run("notify", () => 1); }`,
      errors: [{ messageId: "floating", line: 2, suggestions: 1 }],
    },
    "reports a promise in a name that nothing reads": awaiting("unused", [
      `const paid = step.run("charge", charge);`,
      `const paid = await step.run("charge", charge);`,
    ]),
    "reports what is taken out of a promise": awaiting("asValue", [
      `const { received } = awaitSignal("go"); return received;`,
      `const { received } = await awaitSignal("go"); return received;`,
    ]),
    "reports a member of a promise": awaiting("asValue", [
      `return step.fetch("stock", "https://shop.example").json();`,
      `return (await step.fetch("stock", "https://shop.example")).json();`,
    ]),
    "reports a promise as a condition": awaiting("asValue", [
      `if (step.run("is-paid", charge)) return 1;`,
      `if (await step.run("is-paid", charge)) return 1;`,
    ]),
    "reports a promise that other statements are decided by": {
      code: workflow(`
while (sleep("1s")) format(1);
do { format(1); } while (sleep("1s"));
switch (sleep("1s")) { case 1: format(1); }
for (sleep("1s"); sleep("1s"); sleep("1s")) format(1);
for (const one of sleep("1s")) format(one);
format(sleep("1s") ? 1 : 2, sleep("1s") && 1, input[sleep("1s")]);
sleep("1s"), format(1);`),
      errors: [
        ...[5, 6, 7].map((line) => ({ messageId: "asValue", line, suggestions: 1 })),
        ...["floating", "asValue", "floating"].map((messageId) => ({ messageId, line: 8, suggestions: 1 })),
        ...[9, 10, 10, 10].map((line) => ({ messageId: "asValue", line, suggestions: 1 })),
        { messageId: "floating", line: 11, suggestions: 1 },
      ],
    },
    "reports a promise that is negated": awaiting("asValue", [
      `return !step.run("is-paid", charge);`,
      `return !await step.run("is-paid", charge);`,
    ]),
    "reports a promise that is calculated with": awaiting("asValue", [
      `return 1 + step.run("sum", charge);`,
      `return 1 + (await step.run("sum", charge));`,
    ]),
    "reports a promise in a text": awaiting("asValue", [
      "return `paid: ${step.run('pay', charge)}`;",
      "return `paid: ${(await step.run('pay', charge))}`;",
    ]),
    "reports a list of promises that is left": awaiting("floating", [
      `input.ids.map((id) => step.run("charge", () => charge(id)));`,
      `await Promise.all(input.ids.map((id) => step.run("charge", () => charge(id))));`,
    ]),
    "reports a list of promises that is awaited": awaiting("list", [
      `await input.ids.map(async (id) => { await step.run("charge", () => charge(id)); });`,
      `await Promise.all(input.ids.map(async (id) => { await step.run("charge", () => charge(id)); }));`,
    ]),
    "reports an async function in forEach": {
      code: workflow(`input.ids.forEach(async (id) => { await step.run("charge", () => charge(id)); });`),
      errors: [
        {
          messageId: "droppedBy",
          data: { method: "forEach" },
          suggestions: [
            {
              messageId: "awaitAll",
              output: workflow(
                `await Promise.all(input.ids.map(async (id) => { await step.run("charge", () => charge(id)); }));`,
              ),
            },
          ],
        },
      ],
    },
    "reports a function in filter that returns an operation": {
      code: workflow(`return input.ids.filter((id) => step.run("is-paid", () => charge(id)));`),
      errors: [{ messageId: "droppedBy", data: { method: "filter" } }],
    },
    "suggests no await where none may stand": {
      code: workflow(`const ship = () => { step.run("ship", charge); }; ship();`),
      errors: [{ messageId: "floating", suggestions: [] }],
    },
    "reports operations of helper functions": {
      code: `import { type ContextOf } from "stepwell";
export async function notify(context: ContextOf<typeof order>) { context.sleep("1s"); }`,
      errors: [{ messageId: "floating", suggestions: 1 }],
    },
  },
});
