import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import albums, { Directory, Execution } from "../../examples/parent-child/index.ts";
import { directoryBinding } from "../support/directory-binding.ts";
import { registerObject } from "../workers/registry.ts";
import { reply, requestOf, TOKEN, type Sending } from "./node/test-app.ts";

const ORIGIN = "https://flows.example.com";
const ALBUMS = "/v1/workflows/album/executions";
const PHOTOS = "/v1/workflows/photo/executions";
const WAIT = { prefer: "wait=20" };

// The cast: the application, and its objects among themselves, use these two methods of the namespace alone.
const bindings: Cloudflare.Env = {
  EXECUTIONS: { idFromName, get: (id: DurableObjectId) => env.EXECUTIONS.get(id) },
  DIRECTORY: directoryBinding(Directory, () => bindings),
  STEPWELL_TOKEN: TOKEN,
  PHOTOS_URL: inject("serviceUrl"),
} as unknown as Cloudflare.Env;

function idFromName(name: string): DurableObjectId {
  registerObject(name, (ctx, bound) => new Execution(ctx, { ...bound, ...bindings }));
  return env.EXECUTIONS.idFromName(name);
}

/** The whole Worker of the example over real objects. */
function send(path: string, sending: Sending = {}) {
  return reply(albums.fetch(requestOf(ORIGIN + path, sending), bindings, createExecutionContext()));
}

describe("the example of a parent and its children", () => {
  it("prepares an album, and goes on without what is unreadable or takes too long", async () => {
    const good = Array.from({ length: 12 }, (_, index) => `photos/${index}`);
    const input = { paths: [...good, "status/404", "stall/late"], within: "3s" };
    expect((await send(ALBUMS, { json: { id: "rome", input } })).status).toBe(201);
    const { body } = await send(`${ALBUMS}/rome/result`, { headers: WAIT });
    const value = body["value"] as { ready: string[]; unreadable: string[]; cancelled: string[] };
    expect(value.ready.toSorted()).toEqual(good.toSorted());
    expect([value.unreadable, value.cancelled]).toEqual([["status/404"], ["stall/late"]]);
    const late = await send(`${PHOTOS}/rome-13/result`, { headers: WAIT });
    expect(late.body).toEqual({ kind: "cancelled" });
    const unreadable = await send(`${PHOTOS}/rome-12`);
    expect(unreadable.body).toMatchObject({
      parent: { workflow: "album", id: "rome" },
      links: { parent: `${ALBUMS}/rome` },
      outcome: { kind: "failed", declared: true, code: "UNREADABLE", details: { status: 404 } },
    });
  });

  it("shows each child's start and end in the journal of its parent", async () => {
    const input = { paths: ["photos/a"] };
    await send(ALBUMS, { json: { id: "oslo", input } });
    await send(`${ALBUMS}/oslo/result`, { headers: WAIT });
    const { body } = await send(`${ALBUMS}/oslo/journal`);
    const entries = body["entries"] as readonly { readonly type: string }[];
    expect(entries.filter(({ type }) => type.startsWith("child-"))).toMatchObject([
      { type: "child-requested", workflow: "photo", id: "oslo-0", input: { path: "photos/a" }, onParentEnd: "cancel" },
      { type: "child-started", op: 0 },
      { type: "child-awaited", workflow: "photo", id: "oslo-0" },
      { type: "child-ended", id: "oslo-0", outcome: { kind: "completed", value: { bytes: expect.any(Number) } } },
      { type: "child-wait-ended", op: 1 },
    ]);
  });
});
