import { describe, expect, it } from "vitest";
import { callbackUrls } from "../../src/execution/callback-urls.ts";
import { createDeployment } from "../../src/execution/deployment.ts";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LOCAL_ORIGIN } from "../support/answering.ts";
import { started } from "../support/journal-entries.ts";
import { MemoryHost } from "../support/memory-host.ts";

const env = { STEPWELL_TOKEN: "token" };
const flow = defineWorkflow({ name: "flow" }, async () => {});

function baseOf(options: { readonly publicUrl?: string; readonly basePath?: string }, origin?: string): string {
  const deployment = createDeployment({ workflows: [flow], ...options });
  const urls = callbackUrls(deployment, env, started(origin === undefined ? {} : { origin }));
  return urls.kind === "known" ? urls.urlOf("c").replace(/order\.\S+$/, "TOKEN") : urls.reason;
}

describe("the URL of a callback", () => {
  it.each([
    ["where the start came to", {}, "https://a.example/flows", "https://a.example/flows/v1/callbacks/TOKEN"],
    [
      "publicUrl with its path, whatever the start",
      { publicUrl: "https://b.example/x/" },
      "https://a.example/flows",
      "https://b.example/x/v1/callbacks/TOKEN",
    ],
    [
      "publicUrl and the path of the start",
      { publicUrl: "https://b.example" },
      "https://a.example/flows",
      "https://b.example/flows/v1/callbacks/TOKEN",
    ],
    [
      "publicUrl and basePath",
      { publicUrl: "https://b.example", basePath: "/p" },
      "https://a.example/p",
      "https://b.example/p/v1/callbacks/TOKEN",
    ],
    [
      "publicUrl alone, for a start that did not come by HTTP",
      { publicUrl: "https://b.example" },
      undefined,
      "https://b.example/v1/callbacks/TOKEN",
    ],
  ])("is under %s", (...[, options, origin, url]) => {
    expect(baseOf(options, origin)).toBe(url);
  });

  it("cannot be made without an origin", () => {
    expect(baseOf({})).toBe(
      "Cannot make the URL of a callback as the start request must have come by HTTP, or publicUrl be set: current value is no origin",
    );
  });

  it("changes with the secret, for callbacks that are there already as well", async () => {
    const urls: string[] = [];
    const asks = defineWorkflow({ name: "asks" }, async ({ createCallback, sleep }) => {
      const callback = await createCallback();
      urls.push(callback.url);
      await sleep("1h");
    });
    const secrets: Record<string, string> = { STEPWELL_CALLBACK_KEY: "one" };
    const host = new MemoryHost({ workflows: [asks], env: secrets });
    const probe = await host.start(asks, { origin: LOCAL_ORIGIN });
    secrets["STEPWELL_CALLBACK_KEY"] = "two";
    await probe.evict();
    await host.advance(3_600_000);
    expect(new Set(urls).size).toBe(2);
    expect((await probe.outcome())?.kind).toBe("completed");
  });

  it("that can no more be made pauses an execution whose code has one, until it is configured and resumed", async () => {
    const asks = defineWorkflow({ name: "asks" }, async ({ createCallback, sleep }) => {
      await createCallback();
      await sleep("1h");
      return "done";
    });
    const secrets: Record<string, string> = { STEPWELL_CALLBACK_KEY: "one" };
    const host = new MemoryHost({ workflows: [asks], env: secrets });
    const probe = await host.start(asks, { origin: "https://a.example" });
    delete secrets["STEPWELL_CALLBACK_KEY"];
    await probe.evict();
    await host.advance(3_600_000);
    const { state, reason } = await probe.view();
    expect([state, reason?.code]).toEqual(["paused", "NOT_CONFIGURED"]);
    expect(reason?.message).toContain("STEPWELL_CALLBACK_KEY");
    secrets["STEPWELL_CALLBACK_KEY"] = "one";
    await probe.command("resume");
    expect(await probe.outcome()).toEqual({ kind: "completed", value: "done" });
  });
});
