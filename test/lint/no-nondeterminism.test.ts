import { rules } from "../../src/lint/index.ts";
import { testRule, workflow } from "./test-rule.ts";

/** One use of the platform in the code of a workflow whose context is a name. */
function use(messageId: string, [before, after]: readonly [string, string?], imports = "") {
  const suggestions = after === undefined ? [] : [{ messageId: "use", output: imports + workflow(after, "context") }];
  return { code: imports + workflow(before, "context"), errors: [{ messageId, suggestions }] };
}

testRule("no-nondeterminism", rules["no-nondeterminism"], {
  valid: {
    "S70 accepts the platform inside steps": workflow(
      `await step.run("charge", async () => {
  setTimeout(() => 1, Math.random() * Date.now());
  const response = await fetch(process.env.URL + crypto.randomUUID(), { signal: AbortSignal.timeout(5) });
  return response.json();
}, async () => { await fetch("https://shop.example/refund"); });`,
    ),
    "S70 accepts what only steps call": `
      const post = (url: string) => fetch(url);
      ${workflow(`
      const charging = async () => { await post("https://shop.example"); };
      await step.run("charge", charging);
      await step.run("ship", () => post("https://shop.example"));
      await step.run("mail", post);`)}`,
    "S70 accepts a function of the platform as the function of a step": workflow(
      `const id = await step.run("id", crypto.randomUUID); await step.fetch("ping", "https://shop.example"); return id;`,
    ),
    "accepts the clock and chance of the context": workflow(
      `return [now(), random(), uuid(), new Date(now())];`,
      "{ now, random, uuid }",
    ),
    "accepts dates that are given": workflow(
      `return [new Date(0), new Date(input.at), Date.UTC(2026, 0), Date.parse(input.at), input.at instanceof Date];`,
    ),
    "accepts names of the file that are called so": workflow(`
      const fetch = (url: string) => url, Math = { random: () => 4 };
      return fetch("x") + Math.random();`),
    "accepts members that are called so": workflow(`return input.fetch + input.Date.now + input.process.env;`),
    "accepts what is deterministic": workflow(
      `queueMicrotask(() => 1); structuredClone(input); JSON.stringify(Math.max(1, 2)); crypto.subtle;`,
    ),
    "accepts to ask whether something is there": workflow(`return typeof fetch === "function" || typeof process;`),
    "accepts a client that is made with it for steps to use": workflow(
      `const client = charge({ fetch, clock: Date.now }); await step.run("charge", () => client.charge());`,
    ),
    "accepts variables of env that steps use then": workflow(`
      const url = \`\${env.SHOP_URL}/jobs\`, hosts = env.HOSTS.split(",").map((host) => host.trim()), { KEY = "x" } = env;
      const base = env.BASE ?? "https://shop.example";
      await step.run("charge", () => charge(url, hosts, KEY, base));`),
    "accepts bindings in steps": workflow(`await step.run("load", () => env.DB.prepare("select 1").first());`),
    "accepts env in what a step is given, also in a condition": workflow(
      `if ((await step.fetch("stock", \`\${env.SHOP_URL}/stock\`)).ok) return 1;`,
    ),
    "accepts a value that env chooses": workflow(`
      const url = env.IS_TEST ? "https://test.example" : "https://shop.example";
      await step.fetch("ping", url);`),
    "accepts helper functions that are the code of steps": `import type { WorkflowContext } from "stepwell";
export async function load({ env }: WorkflowContext, id: string) { return await env.DB.prepare(id).first(); }
export async function save(context: WorkflowContext) { await fetch(context.env.URL, { body: context.execution.id }); }
export async function both(context: WorkflowContext) { const { env, log } = context; log.info(await env.KV.get("x")); }`,
    "accepts functions that a helper of another file may run in a step": `import { retrying } from "./retrying.ts";
${workflow(`await retrying(step, "charge", () => fetch("https://shop.example"));`)}`,
    "accepts functions that a function of the file runs in a step": workflow(`
      const retrying = (name: string, work: () => Promise<unknown>) => step.run("charge", work);
      const twice = (work: () => Promise<unknown>) => step.run("twice", () => work());
      const both = (work: () => Promise<unknown>) => retrying("x", work);
      await retrying("a", () => fetch("https://shop.example"));
      await twice(() => fetch("https://shop.example"));
      await both(() => fetch("https://shop.example"));`),
    "accepts functions that nothing calls in workflow code": workflow(`
      const unused = () => fetch("https://shop.example");
      const shop = { load: () => fetch("https://shop.example") };
      await step.run("load", () => shop.load());`),
    "accepts a function that makes the function of a step": workflow(`
      const loading = (id: string) => () => fetch(id);
      await step.run("load", loading("x"));`),
    "accepts types, constants and errors of modules": `import { AxiosError, isAxiosError } from "axios";
import { constants, type Stats } from "node:fs";
${workflow(
  `try { await sleep("1s"); } catch (error) { if (error instanceof AxiosError || isAxiosError(error)) return 1; throw error; }
   const stats: Stats | undefined = input.stats; return constants.F_OK;`,
)}`,
    "accepts all of it where no workflow is": `export const token = () => crypto.randomUUID() + Date.now() + Math.random();`,
  },
  invalid: {
    "S70 reports the clock, and suggests now()": use("clock", ["return Date.now();", "return context.now();"]),
    "S70 reports a date of now": use("clock", ["return new Date();", "return new Date(context.now());"]),
    "S70 reports a date without parentheses": use("clock", ["return new Date;", "return new Date(context.now());"]),
    "S70 reports the date as text": use("clock", ["return Date();"]),
    "S70 reports the clock as a function": use("clock", ["return store(Date.now);", "return store(context.now);"]),
    "S70 reports the performance clock": use("clock", ["return performance.now();"]),
    "S70 reports the clock of Temporal": use("clock", ["return Temporal.Now.instant();"]),
    "S70 reports the clock of the process": use("clock", ["return process.hrtime.bigint();"]),
    "case 83: reports Math.random() in the code of a workflow, and suggests random()": use("randomness", [
      "return Math.random();",
      "return context.random();",
    ]),
    "S70 reports random UUIDs, and suggests uuid()": use("randomness", [
      "return crypto.randomUUID();",
      "return context.uuid();",
    ]),
    "S70 reports random bytes": use("randomness", ["return crypto.getRandomValues(input.bytes);"]),
    "S70 reports what is reached through the global object": use("randomness", [
      "return globalThis.crypto.randomUUID();",
      "return context.uuid();",
    ]),
    "S70 reports the network": use("network", [`await fetch("https://shop.example");`]),
    "S70 reports a connection": use("network", [`const socket = new WebSocket("wss://shop.example");`]),
    "S70 reports the cache": use("network", [`await caches.open("x");`]),
    "S70 reports timers": use("timer", [`setTimeout(() => store(), 1_000);`]),
    "S70 reports a timeout that aborts": use("timer", [`store(AbortSignal.timeout(1_000));`]),
    "S70 reports the scheduler": use("timer", [`await scheduler.wait(1_000);`]),
    "S70 reports a pause by a timer, and suggests sleep()": use("timer", [
      `await new Promise((resolve) => setTimeout(resolve, 60 * 1_000));`,
      `await context.sleep(60 * 1_000);`,
    ]),
    "S70 reports a pause in braces": use("timer", [
      `await new Promise<void>(function (done) { setTimeout(done, 500); });`,
      `await context.sleep(500);`,
    ]),
    "reports the environment of the process": use("environment", [`return process.env.MODE;`]),
    "reports the environment of the build": use("environment", [`return import.meta.env.MODE;`]),
    "reports a random UUID of node:crypto": use(
      "randomness",
      [`return randomUUID();`, `return context.uuid();`],
      `import { randomUUID } from "node:crypto";\n`,
    ),
    "reports a module of Node as a whole": use(
      "randomness",
      [`return crypto.randomBytes(8);`],
      `import crypto from "node:crypto";\n`,
    ),
    "reports a namespace of Node": use(
      "environment",
      [`return fs.readFileSync("x");`],
      `import * as fs from "node:fs";\n`,
    ),
    "reports timers of Node": use(
      "timer",
      [`await wait(5);`],
      `import { setTimeout as wait } from "timers/promises";\n`,
    ),
    "reports UUIDs of a library": use(
      "randomness",
      [`return v4();`, `return context.uuid();`],
      `import { v4 } from "uuid";\n`,
    ),
    "reports ids of a library": use("randomness", [`return nanoid();`], `import { nanoid } from "nanoid";\n`),
    "reports requests of a library": use("network", [`return axios.get("x");`], `import axios from "axios";\n`),
    "reports what is taken out of the platform with a default": {
      code: `const { random = fixed, ...rest } = Math, { [input.x]: other } = Math;\n${workflow("return random() + rest.random() + other();", "context")}`,
      errors: [{ messageId: "randomness", suggestions: 1 }],
    },
    "reports a constant of the module that stands for it": {
      code: `const { random } = Math;\nconst clock = Date.now;\n${workflow("return random() + clock();", "context")}`,
      errors: [
        { messageId: "randomness", data: { text: "random()", where: "" }, line: 6, suggestions: 1 },
        { messageId: "clock", data: { text: "clock()", where: "" }, line: 6, suggestions: 1 },
      ],
    },
    "reports what is taken out of the platform once": use("randomness", [
      "const draw = Math.random; return draw();",
      "const draw = context.random; return draw();",
    ]),
    "takes a member that is destructured already": {
      code: workflow("return [Date.now(), now()];", "{ now: clock, step }").replace("now()]", "clock()]"),
      errors: [
        {
          messageId: "clock",
          suggestions: [{ messageId: "use", output: workflow("return [clock(), clock()];", "{ now: clock, step }") }],
        },
      ],
    },
    "takes a member out of the context for a suggestion": {
      code: workflow("return Date.now();", "{ step }"),
      errors: [
        {
          messageId: "clock",
          suggestions: [{ messageId: "use", output: workflow("return now();", "{ step, now }") }],
        },
      ],
    },
    "takes a member out before the rest of the context": {
      code: workflow("return Math.random() + rest.now();", "{ step, ...rest }"),
      errors: [
        {
          messageId: "randomness",
          suggestions: [
            { messageId: "use", output: workflow("return random() + rest.now();", "{ step, random, ...rest }") },
          ],
        },
      ],
    },
    "suggests nothing where the name means something else": {
      code: workflow("const now = 1; return Date.now() + now;", "{ step }"),
      errors: [{ messageId: "clock", suggestions: [] }],
    },
    "suggests nothing where the context's name means something else": {
      code: workflow("return input.ids.map((context) => Date.now() + context);", "context").replace(
        "input.ids",
        "context.input.ids",
      ),
      errors: [{ messageId: "clock", suggestions: [] }],
    },
    "follows local functions": {
      code: `${workflow("return stamp();", "context")}
function stamp() { return format(Date.now()); }`,
      errors: [{ messageId: "clock", data: { text: "Date.now()", where: "" }, line: 6, suggestions: [] }],
    },
    "follows local functions through others, and functions that are given on": {
      code: workflow(`
const stamp = () => Date.now();
const stamped = (id: string) => [id, stamp()];
return input.ids.map(stamped);`),
      errors: [{ messageId: "clock", line: 5, suggestions: 1 }],
    },
    "follows methods of objects of the file": {
      code: workflow(`const clock = { read() { return Date.now(); } }; return clock.read();`),
      errors: [{ messageId: "clock", suggestions: 1 }],
    },
    "says where a function that steps call too is called outside of a step": {
      code: `const post = (url: string) => fetch(url);
${workflow(`await step.run("a", () => post("x"));\nawait post("y");`)}`,
      errors: [
        {
          messageId: "network",
          data: { text: "fetch()", where: " It is called outside of a step in line 6." },
          line: 1,
        },
      ],
    },
    "looks into functions that code which is not seen calls": {
      code: workflow(`return input.ids.toSorted(() => Math.random() - 0.5);`),
      errors: [{ messageId: "randomness", suggestions: 1 }],
    },
    "looks into functions that a function of the file calls outside of a step as well": {
      code: workflow(`
const retrying = async (work: () => Promise<unknown>) => { await work(); await step.run("charge", work); };
await retrying(() => fetch("https://shop.example"));`),
      errors: [{ messageId: "network", line: 6 }],
    },
    "reports the call of a binding": {
      code: workflow(`const { DB } = env; await DB.prepare("select 1").first(); await env.KV.get("x");`),
      errors: [
        { messageId: "binding", data: { text: "DB.prepare()", where: "" } },
        { messageId: "binding", data: { text: "env.KV.get()", where: "" } },
      ],
    },
    "reports the call of a binding of the platform's own env": {
      code: `import { env } from "cloudflare:workers";\n${workflow(`await env.KV.get("x");`, "{ step }")}`,
      errors: [{ messageId: "binding" }],
    },
    "reports a decision by env": {
      code: workflow(`
if (env.FEATURE === "on") await step.run("new", charge);
while (!env.STOPPED) await sleep("1d");
switch (env.MODE) { case "a": await sleep("1s"); }
do { await sleep("1s"); } while (env.GOES_ON);
for (; env.GOES_ON; ) await sleep("1s");
return env.EXPRESS ? await step.run("fast", charge) : 1;`),
      errors: [
        { messageId: "decision", data: { text: "env.FEATURE", where: "" }, line: 5 },
        { messageId: "decision", data: { text: "env.STOPPED", where: "" }, line: 6 },
        { messageId: "decision", line: 7 },
        { messageId: "decision", line: 8 },
        { messageId: "decision", line: 9 },
        { messageId: "decision", data: { text: "env.EXPRESS", where: "" }, line: 10 },
      ],
    },
    "reports it in helper functions": {
      code: `import type { WorkflowContext } from "stepwell";
export const stamp = (context: WorkflowContext) => { context.setProgress(Date.now()); };`,
      errors: [{ messageId: "clock", suggestions: 1 }],
    },
  },
});
