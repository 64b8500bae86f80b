import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

testRule("no-foreign-promise", rules["no-foreign-promise"], {
  valid: {
    "accepts operations, awaited, returned and combined": workflow(`
      const stock = await step.run("stock", charge);
      const answer = await step.fetch("ping", "https://shop.example");
      await Promise.race([sleep("1h"), awaitSignal("go"), step.run("ship", store)]);
      await Promise.all(input.ids.map((id) => step.run("charge", () => charge(id))));
      return step.run("end", charge);`),
    "accepts what a callback and an answer give": workflow(
      `const callback = await createCallback(), answer = await step.fetch("ping", "https://shop.example");
       await callback.result();
       return [await answer.json(), await answer.text(), await (await step.fetch("pong", "https://shop.example")).bytes()];`,
      "{ step, createCallback }",
    ),
    "accepts other promises in steps": workflow(
      `await step.run("charge", async () => { await charge(); await new Promise((resolve) => setTimeout(resolve, 5)); });`,
    ),
    "accepts local async functions, whose own awaits are looked at": workflow(`
      const ship = async (id: string) => await step.run("ship", () => charge(id));
      await ship("a");
      await Promise.all(input.ids.map(ship));
      await (async () => { await sleep("1s"); })();`),
    "accepts functions of other files that are given the context, or a part of it": workflow(
      `await store(context, 1);
       await store(context.step);
       await store({ step: context.step, sleep: context.sleep });
       await store({ ...context });
       await store((id) => context.step.run("ship", () => id));
       await store(input.ids, 10, async (id) => { await context.sleep("1s"); });`,
      "context",
    ).replaceAll("input.ids", "context.input.ids"),
    "accepts what such functions made": workflow(
      `const shop = store(context); await shop.charge(1); const cart = new store.Cart(step); await cart.close();`,
      "context",
    ).replaceAll("(step)", "(context.step)"),
    "accepts what it cannot know: parameters and what is taken out of values": workflow(`
      const mapLimited = async (fn: (id: string) => Promise<void>, first: Promise<void>) => { await fn("a"); await first; };
      await mapLimited((id) => step.run("ship", () => charge(id)), sleep("1s"));
      const { work } = input;
      await work;
      await work.next();`),
    "accepts values, and promises of values": workflow(
      `await null; await input.sku; await Promise.resolve(); await Promise.resolve({ a: 1 }); await Promise.reject(errors.NO({}));`,
    ),
    "accepts promises that the workflow's own code settles": workflow(`
      const waiting = [];
      let release = () => {};
      const acquire = () => new Promise<void>((resolve) => { waiting.push(resolve); });
      await acquire();
      await new Promise<void>((resolve) => { release = resolve; });
      await new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      const { promise, resolve } = Promise.withResolvers();
      await promise;`),
    "accepts combinators that are written by hand": workflow(`
      const charging = step.run("charge", charge);
      const firstTwo = (branches) => new Promise((resolve, reject) => {
        const first = [];
        const take = (value) => { first.push(value); if (first.length === 2) resolve(first); else more(); };
        function more() { if (branches.length === 0) take(1); }
        for (const branch of branches) branch.then(take, (error) => take(error));
        charging.then(resolve).catch((error) => { reject(error); });
      });
      await firstTwo([charging, sleep("1s")]);
      await new Promise((resolve) => resolve(1));`),
    "accepts functions of other files that are given operations": workflow(
      `const charging = step.run("charge", charge); await store(sleep("1s")); await store(charging); await store([charging]);`,
    ),
    "accepts chains of operations": workflow(
      `await step.run("charge", charge).then((paid) => format(paid)).catch((error) => { throw error; });`,
    ),
    "accepts a list that was collected": workflow(
      `const open = []; for (const id of input.ids) open.push(step.run("ship", () => charge(id))); await Promise.all(open);`,
    ),
    "accepts functions of other files that read a journaled answer": workflow(
      `const answer = await step.fetch("stock", "https://shop.example"); return await format(answer);`,
    ),
    "accepts methods of values and of classes of the file": workflow(`
      class Semaphore { async acquire() { await sleep("1s"); } }
      const limit = new Semaphore(), stock = await step.run("stock", charge);
      await limit.acquire();
      return await stock.items.toString();`),
    "accepts what the package exports": `import { defineWorkflow, retryAfter } from "stepwell";
defineWorkflow({ name: "order" }, async () => { await retryAfter("5s"); });`,
    "accepts a synchronous function of another file that is returned": workflow(`return format(input);`),
    "accepts a limit of one's own, as many write it": `import { defineWorkflow } from "stepwell";
async function mapLimited<A, B>(items: readonly A[], limit: number, fn: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) { const index = next++; results[index] = await fn(items[index]!); }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
defineWorkflow({ name: "fan" }, async ({ input, step }) => await mapLimited(input.keys, 10, (key) => step.run("resize", () => key.length)));`,
    "accepts a sequence that is reduced": workflow(`
      await input.ids.reduce(async (before, id) => { await before; await step.run("ship", () => charge(id)); }, Promise.resolve());`),
    "accepts a for await over operations": workflow(
      `for await (const paid of [step.run("a", charge), step.run("b", charge)]) format(paid);`,
    ),
  },
  invalid: {
    "reports a call of another module, and suggests a step": {
      code: workflow(`const paid = await chargeCard(input.cents);`, "{ input, step }").replace(
        "charge,",
        "chargeCard,",
      ),
      errors: [
        {
          messageId: "awaited",
          data: { text: "chargeCard()", method: "" },
          line: 4,
          column: 20,
          suggestions: [
            {
              messageId: "step",
              output: workflow(
                `const paid = await step.run("charge-card", () => chargeCard(input.cents));`,
                "{ input, step }",
              ).replace("charge,", "chargeCard,"),
            },
          ],
        },
      ],
    },
    "reports a method of another module": {
      code: workflow(`await store.orders.insert(input);`, "context"),
      errors: [
        {
          messageId: "awaited",
          suggestions: [
            {
              messageId: "step",
              output: workflow(`await context.step.run("insert", () => store.orders.insert(input));`, "context"),
            },
          ],
        },
      ],
    },
    "reports what another module has made": {
      code: `import { connect, Client } from "./shop.ts";
const shop = connect("x");
${workflow(`const client = new Client(), db = connect(env.DB); await shop.charge(); await client.orders().insert(); await db.select();`)}`,
      errors: [
        { messageId: "awaited", suggestions: 1 },
        { messageId: "awaited", suggestions: 1 },
        { messageId: "awaited", suggestions: 1 },
      ],
    },
    "reports a request": {
      code: workflow(`const response = await fetch("https://shop.example");`),
      errors: [{ messageId: "awaited", data: { text: "fetch()", method: "" }, suggestions: 1 }],
    },
    "reports the answer of a request": {
      code: workflow(`return await fetch("https://shop.example").then((response) => response.json());`),
      errors: [{ messageId: "awaited", data: { text: "fetch()", method: "" }, suggestions: [] }],
    },
    "reports a binding": {
      code: workflow(`await env.DB.prepare("select 1").first();`),
      errors: [{ messageId: "awaited", suggestions: 1 }],
    },
    "reports cryptography of the platform": {
      code: workflow(`await crypto.subtle.digest("SHA-256", input.bytes);`),
      errors: [{ messageId: "awaited", suggestions: 1 }],
    },
    "reports a promise of one's own": {
      code: workflow(`await new Promise((resolve) => setTimeout(resolve, 5));`),
      errors: [{ messageId: "awaited", data: { text: "new Promise()", method: "" }, suggestions: [] }],
    },
    "reports a promise that another module settles": {
      code: `const waiting = [];\n${workflow(`await new Promise((resolve) => store(resolve)); await new Promise((resolve) => waiting.push(resolve));`)}`,
      errors: [{ messageId: "awaited" }, { messageId: "awaited" }],
    },
    "reports a promise that something else settles later": {
      code: workflow(`
await new Promise((resolve) => { fetch("x").then(resolve); });
await new Promise((resolve) => { setTimeout(() => { resolve(1); }, 5); });
await new Promise((resolve) => { const done = () => resolve(1); store(done); });
await new Promise((resolve) => { const done = () => resolve(1); input.done = done; });
await new Promise((resolve) => { store.on = resolve; });
await new Promise((resolve) => { return resolve; });
await new Promise(store);`),
      errors: [5, 6, 7, 8, 9, 10, 11].map((line) => ({ messageId: "awaited", line })),
    },
    "reports a promise that nothing settles": {
      code: workflow(`await new Promise(() => {});`),
      errors: [{ messageId: "awaited" }],
    },
    "reports a module that is loaded": {
      code: workflow(`const shop = await import("./shop.ts");`),
      errors: [{ messageId: "awaited", data: { text: "import()", method: "" } }],
    },
    "reports a race with a promise of one's own": {
      code: workflow(`
await Promise.race([
  step.run("charge", charge),
  new Promise((_, reject) => setTimeout(reject, 5_000)),
]);`),
      errors: [{ messageId: "combined", data: { text: "new Promise()", method: "race" }, line: 7, column: 3 }],
    },
    "reports each foreign promise of a combination": {
      code: workflow(
        `await Promise.all([step.run("a", charge), fetch("x"), charge(), ...input.ids.map((id) => fetch(id))]);`,
      ),
      errors: [
        { messageId: "combined", data: { text: "fetch()", method: "all" } },
        { messageId: "combined", data: { text: "charge()", method: "all" } },
        { messageId: "combined", data: { text: "fetch()", method: "all" } },
      ],
    },
    "reports promises that functions make for a combination": {
      code: workflow(`
await Promise.all(input.ids.map((id) => charge(id)));
await Promise.allSettled(input.ids.map(charge));
await Promise.any(Array.from(input.ids, function (id) { return fetch(id); }));
await Promise.all(input.ids.map(fetch));`),
      errors: [5, 6, 7, 8].map((line) => ({ messageId: "combined", line })),
    },
    "reports a promise where its name is awaited": {
      code: workflow(`
const paying = fetch("x"), list = input.ids.map((id) => fetch(id));
await sleep("1s");
await paying;
await Promise.all(list);`),
      errors: [
        { messageId: "awaited", data: { text: "paying", method: "" }, line: 7 },
        { messageId: "combined", data: { text: "list", method: "all" }, line: 8 },
      ],
    },
    "reports a local function that returns one": {
      code: workflow(`const post = () => fetch("x"); await post();`),
      errors: [{ messageId: "awaited", data: { text: "post()", method: "" }, suggestions: 1 }],
    },
    "reports a choice": {
      code: workflow(
        `await (input.express ? fetch("x") : step.run("ship", charge)); await (input.work ?? fetch("x"));`,
      ),
      errors: [{ messageId: "awaited" }, { messageId: "awaited" }],
    },
    "reports what an async function returns": {
      code: workflow(`
const post = async () => fetch("x");
const other = async () => { return fetch("y"); };
await Promise.all([post(), other()]);`),
      errors: [
        { messageId: "awaited", line: 5 },
        { messageId: "awaited", line: 6 },
      ],
    },
    "reports it in every form of an expression": {
      code: workflow(`
let later;
await (later = fetch("x"));
await (format(1), fetch("x"));
await Promise.all(input.a ? [fetch("x")] : [, fetch("y")]);
await Promise.all([...[fetch("x")], step.run("a", charge)]);`),
      errors: [
        ...[6, 7].map((line) => ({ messageId: "awaited", line })),
        ...[8, 8, 9].map((line) => ({ messageId: "combined", line })),
      ],
    },
    "reports a resolved promise of a promise": {
      code: workflow(`await Promise.resolve(fetch("x")); await Promise.try(() => fetch("x"));`),
      errors: [{ messageId: "awaited" }, { messageId: "awaited", suggestions: 1 }],
    },
    "reports a query that is tagged": {
      code: `import sql from "./sql.ts";\n${workflow("await sql`select 1`;")}`,
      errors: [{ messageId: "awaited" }],
    },
    "reports a stream": {
      code: workflow(
        `for await (const line of store.lines()) format(line); for await (const x of [fetch("x")]) format(x);`,
      ),
      errors: [{ messageId: "awaited" }, { messageId: "awaited" }],
    },
    "reports it in helper functions and in local functions": {
      code: `import type { WorkflowContext } from "stepwell";
import { charge } from "./shop.ts";
export async function notify({ step }: WorkflowContext) { await charge(); await later(); }
async function later() { await charge(); }`,
      errors: [
        { messageId: "awaited", line: 3, suggestions: 1 },
        { messageId: "awaited", line: 4, suggestions: [] },
      ],
    },
    "suggests no step where what it does awaits an operation": {
      code: workflow(`await charge(await step.run("cents", () => 1));`),
      errors: [{ messageId: "awaited", suggestions: [] }],
    },
  },
});
