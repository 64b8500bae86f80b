import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import approval, { Directory, Execution } from "../../examples/approval/index.ts";
import { directoryBinding } from "../support/directory-binding.ts";
import { registerObject } from "../workers/registry.ts";
import { reply, requestOf, TOKEN, type Sending } from "./node/test-app.ts";

const ORIGIN = "https://flows.example.com";
const EXECUTIONS = "/flows/v1/workflows/expense/executions";
const PUBLIC = { authorization: "" };

/** The whole Worker of the example over real objects, with a chat of its own for each execution. */
function deploy(chat: string) {
  const secrets = { STEPWELL_TOKEN: TOKEN, CHAT_URL: `${inject("serviceUrl")}/${chat}` };
  const idFromName = (name: string) => {
    registerObject(name, (ctx, bound) => new Execution(ctx, { ...bound, ...bindings }));
    return env.EXECUTIONS.idFromName(name);
  };
  const namespace = { idFromName, get: (id: DurableObjectId) => env.EXECUTIONS.get(id) };
  // The cast: the application uses these two methods of the namespace alone.
  const bindings: Cloudflare.Env = {
    EXECUTIONS: namespace,
    DIRECTORY: directoryBinding(Directory, () => bindings),
    ...secrets,
  } as unknown as Cloudflare.Env;
  return (path: string, sending: Sending = {}) =>
    reply(approval.fetch(requestOf(ORIGIN + path, sending), bindings, createExecutionContext()));
}

/** The link in the last message that the chat got. */
async function linkIn(chat: string): Promise<URL> {
  for (;;) {
    const response = await fetch(`${inject("serviceUrl")}/body?of=/${chat}`);
    const body = await response.text();
    if (body !== "") return new URL((JSON.parse(body) as { readonly text: string }).text.split(" ").at(-1) ?? "");
    await scheduler.wait(10);
  }
}

describe("the example of an approval", () => {
  it.each([true, false])("asks by a link, and ends as the person decides: %s", async (approved) => {
    const chat = `chat-${approved}`;
    const send = deploy(chat);
    const input = { who: "ann", cents: 1_250 };
    expect((await send(EXECUTIONS, { json: { id: chat, input } })).status).toBe(201);
    const link = await linkIn(chat);
    expect([link.origin, link.pathname]).toEqual([ORIGIN, "/approve"]);
    const page = await send(link.pathname, { headers: PUBLIC });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Is it approved?")]);
    const { pathname } = new URL(link.hash.slice(1));
    expect(pathname).toMatch(/^\/flows\/v1\/callbacks\/expense\./);
    expect((await send(pathname, { json: { approved: "maybe" }, headers: PUBLIC })).status).toBe(422);
    expect((await send(pathname, { json: { approved }, headers: PUBLIC })).status).toBe(200);
    const result = await send(`${EXECUTIONS}/${chat}/result`, { headers: { prefer: "wait=10" } });
    expect(result.body).toEqual({ kind: "completed", value: { approved } });
    expect((await send(`${EXECUTIONS}/${chat}/journal`)).text).not.toContain("/callbacks/");
  });
});
