import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ResultTimeout } from "../../src/client/index.ts";
import { settled } from "../support/virtual-time.ts";
import {
  type Answer,
  delaysOf,
  document,
  down,
  problem,
  type ScriptedServer,
  scripted,
  view,
} from "./scripted-server.ts";

const SECOND_MS = 1_000;
const START = Date.UTC(2026, 10, 30, 12);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a result", () => {
  const NOT_ENDED: Answer = async ({ headers }) => {
    const seconds = Number(/^wait=(\d+)$/.exec(headers.get("prefer") ?? "")?.[1] ?? 0);
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS));
    return await document(202, view(), { "retry-after": "1" })({} as never, {} as never);
  };
  const ENDED = document(200, { kind: "completed", value: ["done"] });
  const waitsOf = ({ got }: ScriptedServer) => got.map(({ headers }) => headers.get("prefer"));

  it("is waited for by requests of a minute each, for as long as it takes", async () => {
    const server = scripted(NOT_ENDED, NOT_ENDED, NOT_ENDED, ENDED);
    const { value, at } = await settled(server.client.get("order", "o-1").result());
    expect([value, at - START]).toEqual(["done", 180 * SECOND_MS]);
    expect(waitsOf(server)).toEqual(Array.from({ length: 4 }, () => "wait=60"));
  });

  it.each([
    ["2m", 120_000, ["wait=60", "wait=60"]],
    ["90s", 90_000, ["wait=60", "wait=30"]],
    ["2.5s", 2_500, ["wait=2", null, null]],
    [300, 300, [null, null]],
    [0, 0, [null]],
  ] as const)(
    "that does not come within %s is a ResultTimeout then, and not without a look at the end",
    async (timeout, ms, waits) => {
      const server = scripted(NOT_ENDED);
      const { fault, at } = await settled(server.client.get("order", "o-1").result({ timeout }));
      expect(ResultTimeout.is(fault)).toBe(true);
      expect(String(fault)).toBe(`ResultTimeout: The execution order/o-1 did not end within ${timeout}.`);
      expect(at - START).toBe(ms);
      expect(waitsOf(server)).toEqual(waits);
    },
  );

  it("that comes in the last moment is no timeout", async () => {
    const server = scripted(NOT_ENDED, ENDED);
    expect(await settled(server.client.get("order", "o-1").result({ timeout: 300 }))).toMatchObject({ value: "done" });
  });

  it("is not asked for in a hurry where the server does not wait", async () => {
    const server = scripted(document(202, view()), document(202, view()), document(202, view()), ENDED);
    await settled(server.client.get("order", "o-1").result());
    expect(delaysOf(server)).toEqual([SECOND_MS, SECOND_MS, SECOND_MS]);
  });

  it("waits out a network that fails, but not beyond the timeout", async () => {
    const server = scripted(down, down, NOT_ENDED, ENDED);
    expect(await settled(server.client.get("order", "o-1").result({ timeout: "2m" }))).toMatchObject({ value: "done" });
    const dead = scripted(problem(503, "UNAVAILABLE", { "retry-after": "30" }));
    const { fault } = await settled(dead.client.get("order", "o-1").result({ timeout: "10s" }));
    expect([fault, dead.got.length]).toEqual([expect.objectContaining({ code: "UNAVAILABLE" }), 1]);
  });

  it.each(["1 month", -1, Number.NaN])("is refused with a timeout of %s", async (timeout) => {
    const server = scripted(ENDED);
    const { fault } = await settled(server.client.get("order", "o-1").result({ timeout: timeout as number }));
    expect(String(fault)).toContain("Cannot use timeout as it must");
    expect(server.got).toEqual([]);
  });
});
