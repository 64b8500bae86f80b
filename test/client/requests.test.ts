import { describe, expect, it } from "vitest";
import { createClient, ExecutionCancelled, ExecutionFailed, RequestRefused } from "../../src/client/index.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { document, problem, scripted, VALUES, view } from "./scripted-server.ts";

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AT = Date.UTC(2026, 5, 15, 12);

function flat(value: unknown): unknown {
  return JSON.parse(encodeValue(value, 1_000_000));
}

async function refusalOf(promise: Promise<unknown>): Promise<RequestRefused> {
  const fault: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!RequestRefused.is(fault)) throw new Error(`It was not refused: ${String(fault)}`);
  return fault;
}

describe("a start", () => {
  it("sends the input as what it is, and everything else as it was given", async () => {
    const { client, got } = scripted(document(201, view()));
    const startAt = new Date(AT);
    const handle = await client.start(
      "order",
      { at: startAt, cents: 5n },
      {
        id: "o-1",
        startAt,
        deadline: "2h",
        attributes: { customer: "c-7", express: true },
        idempotencyKey: "click 1",
      },
    );
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      method: "POST",
      path: "/v1/workflows/order/executions",
      body: {
        id: "o-1",
        input: flat({ at: startAt, cents: 5n }),
        startAt: AT,
        deadline: "2h",
        attributes: { customer: "c-7", express: true },
      },
    });
    expect(Object.fromEntries(got[0]?.headers ?? [])).toEqual({
      accept: VALUES,
      authorization: "Bearer full-token",
      "content-type": VALUES,
      "idempotency-key": "click 1",
    });
    expect([handle.id, handle.created, handle.outcome]).toEqual(["o-1", true, undefined]);
  });

  it("without an id gets one that sorts by time, and counts as created whatever try it was", async () => {
    const { client, got } = scripted(({ body }) =>
      document(200, view({ id: (body as { readonly id: string }).id }))({} as never, {} as never),
    );
    const ids: string[] = [];
    for (let count = 0; count < 100; count += 1) {
      const handle = await client.start("order");
      ids.push(handle.id);
      expect(handle.created).toBe(true);
    }
    expect(got.map(({ body }) => (body as { readonly id: string }).id)).toEqual(ids);
    expect(ids.filter((id) => !UUID_7.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(100);
    const time = Number.parseInt((ids[0] ?? "").replace("-", "").slice(0, 12), 16);
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });

  it("with a key alone leaves the id to the Worker", async () => {
    const { client, got } = scripted(document(200, view({ id: "k-abc" })));
    const handle = await client.start("order", undefined, { idempotencyKey: "click-1" });
    expect([handle.id, handle.created]).toEqual(["k-abc", false]);
    expect(got[0]?.body).toEqual({ input: -1 });
    expect(got[0]?.headers.get("idempotency-key")).toBe("click-1");
  });

  it.each([
    ["5s", "wait=5"],
    [500, "wait=1"],
    ["1.5s", "wait=2"],
    ["1h", "wait=60"],
    [0, null],
  ] as const)("that waits %s asks for that in whole seconds, at most a minute", async (wait, prefer) => {
    const { client, got } = scripted(document(201, view()));
    expect((await client.start("order", 1, { wait })).outcome).toBeUndefined();
    expect(got.map(({ headers }) => headers.get("prefer"))).toEqual([prefer]);
  });

  it("that waits has the outcome, with its value as what it is", async () => {
    const outcome = { kind: "completed", value: flat(new Map([[1n, new Date(AT)]])) };
    const { client, got } = scripted(document(201, view({ state: "completed", outcome })));
    const handle = await client.start("order", 1, { id: "o-1", wait: "5s" });
    expect(got[0]?.headers.get("prefer")).toBe("wait=5");
    expect(handle.outcome).toEqual({ kind: "completed", value: new Map([[1n, new Date(AT)]]) });
  });

  it("is refused with the code, status, issues and document of the answer", async () => {
    const issues = [{ path: "input.sku", message: "Required" }];
    const body = {
      type: "urn:x",
      title: "No",
      status: 422,
      detail: "It does not fit",
      code: "VALIDATION_ERROR",
      issues,
    };
    const { client, got } = scripted(document(422, body, { "content-type": "application/problem+json" }));
    const refusal = await refusalOf(client.start("order", {}));
    expect(refusal).toMatchObject({ name: "RequestRefused", message: "It does not fit", status: 422, issues });
    expect([refusal.code, refusal.problem, refusal instanceof Error]).toEqual(["VALIDATION_ERROR", body, true]);
    expect(got).toHaveLength(1);
  });

  it("is refused before anything is sent where the input has no form", async () => {
    const { client, got } = scripted(document(201, view()));
    const refusal = await refusalOf(client.start("order", { lines: [{ price: () => 5 }] }));
    expect([refusal.status, refusal.code, refusal.issues?.[0]?.path]).toEqual([
      422,
      "VALIDATION_ERROR",
      ".lines[0].price",
    ]);
    expect(got).toEqual([]);
  });

  it.each([
    ["wait", { wait: "1 month" }, TypeError, "Cannot use wait as"],
    ["wait", { wait: -1 }, RangeError, "Cannot use wait as it must not be negative: current value is -1"],
    [
      "idempotencyKey",
      { idempotencyKey: "é" },
      RangeError,
      'Cannot use idempotencyKey as it must be 1 to 256 printable ASCII characters: current value is "é"',
    ],
    ["idempotencyKey", { idempotencyKey: "" }, RangeError, "Cannot use idempotencyKey as"],
    ["idempotencyKey", { idempotencyKey: " a" }, RangeError, "Cannot use idempotencyKey as"],
    ["idempotencyKey", { idempotencyKey: "a".repeat(257) }, RangeError, "Cannot use idempotencyKey as"],
  ])("is refused with an option %s that cannot be used: %j", async (_name, options, errorClass, message) => {
    const { client, got } = scripted(document(201, view()));
    const start = client.start("order", 1, options as object);
    await expect(start).rejects.toThrow(errorClass);
    await expect(start).rejects.toThrow(message);
    expect(got).toEqual([]);
  });

  it.each([undefined, null, 5, {}])("is refused without a workflow: %j", async (workflow) => {
    const { client } = scripted(document(201, view()));
    await expect(client.start(workflow as never, {} as never)).rejects.toThrow(
      "Cannot use workflow as it must be a workflow or its name: current value is",
    );
    expect(() => client.get(workflow as never, "x")).toThrow(TypeError);
  });
});

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
      expect((await refusalOf(client.get("order", "o-1").signal(id as never, 1 as never))).code).toBe("INVALID_ID");
    }
    expect(got).toHaveLength(1);
  });
});

describe("an answer", () => {
  it.each([
    ["a page of somebody else's", 200, "text/html", "<p>"],
    ["plain JSON, whose values would be something else", 200, "application/json", "{}"],
    ["a redirect", 302, "text/plain", ""],
    ["a refusal by somebody else", 403, "text/html", "<p>"],
  ])("is refused where it is no Stepwell's: %s", async (_name, status, type, body) => {
    const { client, got } = scripted(
      () => new Response(body, { status, headers: { "content-type": type, location: "/x" } }),
    );
    const refusal = await refusalOf(client.get("order", "o-1").status());
    expect([refusal.status, refusal.code]).toEqual([status, "UNEXPECTED_ANSWER"]);
    expect(refusal.message).toBe(
      `Cannot use the answer as it must be ${VALUES}: current value is ${type} with status ${status}`,
    );
    expect(got).toHaveLength(1);
  });
});

describe("createClient", () => {
  it.each([
    [{ url: "x" }, 'Cannot use url as it must be a URL of http or https: current value is "x"'],
    [{ url: "ftp://example.com" }, "Cannot use url as"],
    [{ url: undefined }, "Cannot use url as it must be a URL of http or https: current value is undefined"],
    [{ url: "https://example.com", token: "a b" }, "Cannot use token as it must be visible ASCII characters"],
    [{ url: "https://example.com", token: "" }, "Cannot use token as"],
  ])("refuses %j", (options, message) => {
    expect(() => createClient(options as { url: string })).toThrow(TypeError);
    expect(() => createClient(options as { url: string })).toThrow(message);
  });

  it("does not show a token that it refuses", () => {
    expect(() => createClient({ url: "https://example.com", token: "se cret" })).toThrow(/^(?!.*cret)/);
  });

  it.each([
    ["https://example.com", "https://example.com/v1/executions?limit=100"],
    ["https://example.com/", "https://example.com/v1/executions?limit=100"],
    ["http://example.com:8787/flows//", "http://example.com:8787/flows/v1/executions?limit=100"],
    ["https://user:pass@example.com/a b?c=d#e", "https://example.com/a%20b/v1/executions?limit=100"],
    [undefined, "http://localhost/v1/executions?limit=100"],
  ])("sends below its URL: %s", async (url, expected) => {
    const urls: string[] = [];
    const fetcher = {
      fetch: async (input: RequestInfo | URL) => {
        urls.push(new Request(input).url);
        return await document(200, { executions: [], next: null })({} as never, {} as never);
      },
    };
    const client = createClient(url === undefined ? { fetcher } : { url, fetcher });
    for await (const none of client.list()) expect(none).toBeUndefined();
    expect(urls).toEqual([expected]);
  });

  it("sends no token where it has none", async () => {
    const headers: (string | null)[] = [];
    const fetcher = {
      fetch: async (input: RequestInfo | URL) => {
        headers.push(new Request(input).headers.get("authorization"));
        return await document(200, view())({} as never, {} as never);
      },
    };
    await createClient({ fetcher }).get("order", "o-1").status();
    expect(headers).toEqual([null]);
  });
});
