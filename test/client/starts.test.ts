import { describe, expect, it } from "vitest";
import { refusalOf } from "../support/refusal-of.ts";
import { document, flat, scripted, UUID_7, VALUES, view } from "./scripted-server.ts";

const KEY_RULE = "Cannot use idempotencyKey as it must be 1 to 256 printable ASCII characters";
const AT = Date.UTC(2026, 5, 15, 12);

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
        budget: { attempts: 5 },
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
        budget: { attempts: 5 },
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
    [{ wait: "1 month" }, "TypeError: Cannot use wait as"],
    [{ wait: -1 }, "RangeError: Cannot use wait as it must not be negative: current value is -1"],
    [{ idempotencyKey: "é" }, `RangeError: ${KEY_RULE}: current value is "é"`],
    [{ idempotencyKey: "" }, `RangeError: ${KEY_RULE}`],
    [{ idempotencyKey: " a" }, `RangeError: ${KEY_RULE}`],
    [{ idempotencyKey: "a".repeat(257) }, `RangeError: ${KEY_RULE}`],
  ])("is refused with an option that cannot be used: %j", async (options, message) => {
    const { client, got } = scripted(document(201, view()));
    const start = client.start("order", 1, options as object);
    expect(String(await start.catch((error: unknown) => error))).toContain(message);
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
