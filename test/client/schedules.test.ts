import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusalOf } from "../support/refusal-of.ts";
import { settled } from "../support/virtual-time.ts";
import { document, down, problem, scripted, UUID_7 } from "./scripted-server.ts";

const SCHEDULE = {
  name: "nightly",
  cron: "0 3 * * *",
  paused: false,
  nextAt: 5,
  nextTimes: [5],
  pending: [],
  links: {},
};
const TRIGGERED = { workflow: "report", id: "nightly.trigger-1", links: {} };

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 30, 12) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("schedules", () => {
  it("are listed, and looked up by name in the list", async () => {
    const { client, lines } = scripted(document(200, { schedules: [SCHEDULE] }));
    expect(await client.schedules.list()).toEqual([SCHEDULE]);
    expect(await client.schedules.get("nightly")).toEqual(SCHEDULE);
    expect(await client.schedules.get("daily")).toBeUndefined();
    expect(lines()).toEqual(Array.from({ length: 3 }, () => "GET /v1/schedules"));
  });

  it("are paused and resumed by requests that say nothing else", async () => {
    const { client, got, lines } = scripted(document(202, SCHEDULE));
    expect(await client.schedules.pause("nightly")).toEqual(SCHEDULE);
    await client.schedules.resume("a b");
    expect(lines()).toEqual(["POST /v1/schedules/nightly/pause", "POST /v1/schedules/a%20b/resume"]);
    expect(got.map(({ body, headers }) => [body, headers.get("idempotency-key")])).toEqual([
      [{}, null],
      [{}, null],
    ]);
  });

  it("are triggered under a key of the client's or the one given, and give a handle of the execution", async () => {
    const { client, got, lines } = scripted(document(201, TRIGGERED), document(200, TRIGGERED));
    const handle = await client.schedules.trigger("nightly");
    expect(handle).toMatchObject({ id: "nightly.trigger-1", created: true });
    expect(Object.keys(handle)).not.toContain("workflow");
    expect((await client.schedules.trigger("nightly", { idempotencyKey: "k" })).created).toBe(false);
    await handle.cancel();
    expect(lines()).toEqual([
      "POST /v1/schedules/nightly/trigger",
      "POST /v1/schedules/nightly/trigger",
      "POST /v1/workflows/report/executions/nightly.trigger-1/cancel",
    ]);
    const keys = got.map(({ headers }) => headers.get("idempotency-key"));
    expect([UUID_7.test(keys[0] ?? ""), keys[1]]).toEqual([true, "k"]);
  });

  it("S74: are triggered once by a trigger that is made again, which has created what it finds", async () => {
    const { client, got } = scripted(down, problem(503, "UNAVAILABLE"), document(200, TRIGGERED));
    const { value: handle } = await settled(client.schedules.trigger("nightly"));
    expect(handle?.created).toBe(true);
    expect(got).toHaveLength(3);
    expect(new Set(got.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  it("tell no created where the start is still to come", async () => {
    const { client } = scripted(document(202, TRIGGERED));
    const handle = await client.schedules.trigger("nightly");
    expect([handle.id, "created" in handle]).toEqual(["nightly.trigger-1", false]);
  });

  it.each(["", ".", ".."])("are not asked for as %o, which a URL would swallow", async (name) => {
    const { client, got } = scripted(document(202, SCHEDULE));
    for (const refused of [client.schedules.pause(name), client.schedules.trigger(name)]) {
      expect(await refusalOf(refused)).toMatchObject({ status: 422, code: "INVALID_ID" });
    }
    expect(got).toEqual([]);
  });

  it("are not triggered under a key that no header carries unchanged", async () => {
    const { client, got } = scripted(document(201, TRIGGERED));
    const triggered = client.schedules.trigger("nightly", { idempotencyKey: " k" });
    await expect(triggered).rejects.toThrow(/^Cannot use idempotencyKey as it must be/);
    expect(got).toEqual([]);
  });

  it("are asked for no more when the signal aborts", async () => {
    const { client, got } = scripted(down);
    const signal = AbortSignal.abort(new Error("enough"));
    const { list, get, pause, trigger } = client.schedules;
    for (const one of [list({ signal }), get("n", { signal }), pause("n", { signal }), trigger("n", { signal })]) {
      await expect(one).rejects.toThrow("enough");
    }
    expect(got).toEqual([]);
  });
});

describe("what is deployed, and how many executions there are", () => {
  it("is asked for at its own path", async () => {
    const counts = { total: { running: 1 }, workflows: { order: { running: 1 } } };
    const { client, lines } = scripted(document(200, counts), document(200, { workflows: [{ name: "order" }] }));
    expect(await client.counts()).toEqual(counts);
    expect(await client.workflows()).toEqual([{ name: "order" }]);
    expect(lines()).toEqual(["GET /v1/counts", "GET /v1/workflows"]);
  });
});
