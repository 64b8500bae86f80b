import { describe, expect, it } from "vitest";
import type { Step } from "../../src/execution/workflow-context.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";

const URL_OF = "https://service.example/x";

/** Calls `step.fetch` as no compiler would let it, and then runs a step. */
async function call(...args: readonly unknown[]) {
  let error: unknown;
  let requests = 0;
  const flow = defineWorkflow({ name: "calls" }, async ({ step }) => {
    const fetch = step.fetch as (...given: readonly unknown[]) => ReturnType<Step["fetch"]>;
    await fetch(...args).catch((thrown: unknown) => void (error = thrown));
    await step.run("after", () => {});
  });
  const fetch = async () => {
    requests += 1;
    return new Response("ok");
  };
  const host = new MemoryHost({ workflows: [flow], fetch });
  const probe = await host.start(flow);
  await host.runToEnd();
  const names = (await probe.facts()).flatMap((fact) =>
    "name" in fact && "op" in fact ? [`${fact.op} ${fact.name}`] : [],
  );
  return { error, requests, names };
}

const stream = () => new ReadableStream();
const iterable = { async *[Symbol.asyncIterator]() {} };

describe("a call of step.fetch", () => {
  it.each<readonly [string, readonly unknown[], RegExp]>([
    [
      "no request",
      ["x"],
      /^Cannot use request of step\.fetch as it must be a Request, or an absolute URL .*: current value is undefined$/,
    ],
    ["a path", ["x", "/path"], /current value is "\/path"$/],
    ["another protocol", ["x", "ftp://service.example"], /of http or https: current value is "ftp:/],
    [
      "a number for init",
      ["x", URL_OF, 5],
      /^Cannot use init of step\.fetch as it must be an object: current value is 5$/,
    ],
    ["null for init", ["x", URL_OF, null], /init of step\.fetch .*: current value is null$/],
    ["a method that is none", ["x", URL_OF, { method: "NO GOOD" }], /^Cannot use method of step\.fetch/],
    ["a body with GET", ["x", URL_OF, { body: "b" }], /^Cannot use method of step\.fetch/],
    ["headers that are none", ["x", URL_OF, { headers: { "no good": "1" } }], /^Cannot use headers of step\.fetch/],
    [
      "an unknown redirect",
      ["x", URL_OF, { redirect: "once" }],
      /redirect of step\.fetch as it must be one of follow, manual, error: .*"once"$/,
    ],
    [
      "a signal that is none",
      ["x", URL_OF, { signal: {} }],
      /signal of step\.fetch as it must be an AbortSignal: .* an object$/,
    ],
    [
      "a stream for a body",
      ["x", URL_OF, { method: "POST", body: stream() }],
      /body of step\.fetch as a stream can be read only once/,
    ],
    ["an iterable for a body", ["x", URL_OF, { method: "POST", body: iterable }], /a stream can be read only once/],
    [
      "a Request with a body",
      ["x", new Request(URL_OF, { method: "POST", body: "b" })],
      /a stream can be read only once/,
    ],
    [
      "an object for a body",
      ["x", URL_OF, { method: "POST", body: { a: 1 } }],
      /body of step\.fetch as it must be a string, bytes, .* an object$/,
    ],
    [
      "a fourth argument",
      ["x", URL_OF, {}, 1],
      /^Cannot run step x as step\.fetch takes at most three arguments: current value is 4$/,
    ],
    ["an unknown key of the step", [{ name: "x", retries: 3 }, URL_OF], /retries/],
  ])("with %s is refused at once, takes no number and sends nothing", async (_, args, message) => {
    const { error, requests, names } = await call(...args);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(message);
    expect(requests).toBe(0);
    expect(names).toEqual(["0 after"]);
  });

  it.each<readonly [string, readonly unknown[]]>([
    ["an undefined init", ["x", URL_OF, undefined]],
    ["a null body", ["x", URL_OF, { body: null }]],
    ["a null signal", ["x", URL_OF, { signal: null }]],
    ["fields that only some platforms know", ["x", URL_OF, { cf: { cacheTtl: 5 }, keepalive: true }]],
    ["a Request whose body init replaces", ["x", new Request(URL_OF, { method: "POST", body: "b" }), { body: "c" }]],
  ])("with %s is sent", async (_, args) => {
    expect(await call(...args)).toMatchObject({ error: undefined, requests: 1, names: ["0 x", "1 after"] });
  });

  it("hands fields that only some platforms know on to fetch", async () => {
    const sent: (readonly [string, RequestInit])[] = [];
    const flow = defineWorkflow({ name: "platform" }, async ({ step }) => {
      const cf = { cacheTtl: 5 };
      await step.fetch("a", URL_OF, { cf });
      await step.fetch("b", Object.assign(new Request(URL_OF), { cf }) as Request);
    });
    const fetch = async (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return new Response("ok");
    };
    await new MemoryHost({ workflows: [flow], fetch }).start(flow);
    expect(sent).toMatchObject([
      [URL_OF, { cf: { cacheTtl: 5 }, redirect: "manual" }],
      [URL_OF, { cf: { cacheTtl: 5 }, redirect: "manual" }],
    ]);
  });
});
