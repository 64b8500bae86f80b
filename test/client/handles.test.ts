import { describe, expect, it } from "vitest";
import { ExecutionCancelled, ExecutionFailed } from "../../src/client/index.ts";
import { refusalOf } from "../support/refusal-of.ts";
import { document, flat, problem, scripted, UUID_7, VALUES, view } from "./scripted-server.ts";

const AT = Date.UTC(2026, 5, 15, 12);

describe("a handle", () => {
  it("is had without a request, frozen, and works when destructured", async () => {
    const { client, got, lines } = scripted(document(200, view()));
    const handle = client.get({ name: "order" }, "o-1");
    expect([handle.id, Object.isFrozen(handle), "created" in handle, got.length]).toEqual(["o-1", true, false, 0]);
    const { status } = handle;
    await status();
    expect(lines()).toEqual(["GET /v1/workflows/order/executions/o-1"]);
  });

  it("shows the state with values as what they are, and what only looks like a value as it is", async () => {
    const shown = view({ progress: flat({ at: new Date(AT) }), attributes: { value: 5, details: [1] } });
    const { client } = scripted(document(200, shown));
    const status = await client.get("order", "o-1").status();
    expect(status.progress).toEqual({ at: new Date(AT) });
    expect(status.attributes).toEqual({ value: 5, details: [1] });
  });

  it("sends a signal with its value as what it is, under a key of its own or the one given", async () => {
    const { client, got } = scripted(document(202, { accepted: true, duplicate: false }));
    const { signal } = client.get("order", "o-1");
    const [name, value] = ["approval", { at: new Date(AT) }] as never[];
    await signal(name as never, value as never);
    await signal(name as never, value as never);
    await signal(name as never, undefined as never, { idempotencyKey: "k", wait: "90s" });
    expect(got.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => "POST /v1/workflows/order/executions/o-1/signals/approval"),
    );
    expect(got.map(({ body }) => body)).toEqual([flat(value), flat(value), -1]);
    const keys = got.map(({ headers }) => headers.get("idempotency-key"));
    expect([UUID_7.test(keys[0] ?? ""), keys[0] === keys[1], keys[2]]).toEqual([true, false, "k"]);
    expect(got.map(({ headers }) => headers.get("prefer"))).toEqual([null, null, "wait=60"]);
  });

  it("sends each command with its reason, if there is one", async () => {
    const { client, got, lines } = scripted(document(202, view()));
    const handle = client.get("order", "o-1");
    await handle.cancel("not wanted");
    await handle.pause();
    await handle.resume();
    await handle.terminate("by hand");
    const commands = ["cancel", "pause", "resume", "terminate"];
    expect(lines()).toEqual(commands.map((command) => `POST /v1/workflows/order/executions/o-1/${command}`));
    expect(got.map(({ body }) => body)).toEqual([{ reason: "not wanted" }, {}, {}, { reason: "by hand" }]);
  });

  it("is deleted, and answers nothing", async () => {
    const { client, lines } = scripted(() => new Response(null, { status: 204 }));
    expect(await client.get("order", "o-1").delete()).toBeUndefined();
    expect(lines()).toEqual(["DELETE /v1/workflows/order/executions/o-1"]);
  });

  it("forks under an id of the client's or the one given, and gives a handle of the fork", async () => {
    const { client, got, lines } = scripted(document(201, view({ id: "o-2" })));
    const fork = await client.get("order", "o-1").fork({ id: "o-2", before: "ship#2" });
    await client.get("order", "o-1").fork();
    await fork.cancel();
    expect(lines()).toEqual([
      "POST /v1/workflows/order/executions/o-1/fork",
      "POST /v1/workflows/order/executions/o-1/fork",
      "POST /v1/workflows/order/executions/o-2/cancel",
    ]);
    expect(got[0]?.body).toEqual({ id: "o-2", before: "ship#2" });
    expect(got[1]?.body).toEqual({ id: expect.stringMatching(UUID_7) });
  });

  it("throws the failure with code, details and whether it was declared, or the cancellation", async () => {
    const failed = {
      kind: "failed",
      declared: true,
      code: "OUT_OF_STOCK",
      message: "none left",
      details: flat({ at: new Date(AT) }),
    };
    const { client } = scripted(document(200, failed), document(200, failed), document(200, { kind: "cancelled" }));
    const handle = client.get("order", "o-1");
    const fault: unknown = await handle.result().catch((error: unknown) => error);
    expect(ExecutionFailed.is(fault)).toBe(true);
    expect(fault).toMatchObject({
      declared: true,
      code: "OUT_OF_STOCK",
      message: "none left",
      details: { at: new Date(AT) },
    });
    expect(await handle.awaitOutcome()).toEqual({ ...failed, details: { at: new Date(AT) } });
    await expect(handle.result()).rejects.toSatisfy(ExecutionCancelled.is);
  });

  it("encodes what it names in the path, and refuses what a path would swallow", async () => {
    const { client, lines, got } = scripted(problem(422, "INVALID_ID"));
    await refusalOf(client.get("order", "a/../b?c#d%2e").status());
    expect(lines()).toEqual(["GET /v1/workflows/order/executions/a%2F..%2Fb%3Fc%23d%252e"]);
    for (const id of ["", ".", ".."]) {
      expect((await refusalOf(client.get("order", id).delete())).code).toBe("INVALID_ID");
      expect((await refusalOf(client.get(id, "o-1").delete())).code).toBe("INVALID_ID");
      expect((await refusalOf(client.get("order", "o-1").signal(id as never, 1))).code).toBe("INVALID_ID");
    }
    expect(got).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("that is a problem of somebody else's is told by what it says", async () => {
    const { client } = scripted(
      document(403, { title: "Blocked", detail: "Not from there" }, { "content-type": "application/problem+json" }),
    );
    const refusal = await refusalOf(client.get("order", "o-1").status());
    expect([refusal.status, refusal.code, refusal.message]).toEqual([403, "UNEXPECTED_ANSWER", "Not from there"]);
    expect(refusal.problem.title).toBe("Blocked");
  });

  it.each([
    ["a page of somebody else's", 200, "text/html"],
    ["plain JSON, whose values would be something else", 200, "application/json"],
    ["a redirect", 302, "text/plain"],
    ["a refusal by somebody else", 403, "text/html"],
  ])("is refused where it is no Stepwell's: %s", async (_name, status, type) => {
    const headers = { "content-type": type, location: "/x" };
    const { client, got } = scripted(() => new Response("{}", { status, headers }));
    const refusal = await refusalOf(client.get("order", "o-1").status());
    expect([refusal.status, refusal.code]).toEqual([status, "UNEXPECTED_ANSWER"]);
    expect(refusal.message).toBe(
      `Cannot use the answer as it must be ${VALUES}: current value is ${type} with status ${status}`,
    );
    expect(got).toHaveLength(1);
  });
});
