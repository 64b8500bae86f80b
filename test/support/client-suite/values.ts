import { describe, expect, it } from "vitest";
import { echo } from "../client-workflows.ts";
import { all, waiting, type Way } from "./way.ts";

const AT = Date.UTC(2026, 5, 15, 12);

function cyclic(): unknown {
  const value: Record<string, unknown> = { list: [] };
  (value["list"] as unknown[]).push(value);
  return value;
}

const withHole: unknown[] = [1];
withHole[2] = 3;

const VALUES: readonly (readonly [string, unknown])[] = [
  ["text", "é🦁\u0000\ud83e"],
  ["numbers", [0, -0, 1.5, Number.NaN, Infinity, -Infinity]],
  ["undefined", undefined],
  ["undefined inside", { a: undefined, b: [undefined] }],
  ["a bigint", 2n ** 70n],
  ["a Date", new Date(AT)],
  [
    "a Map",
    new Map<unknown, unknown>([
      ["a", 1n],
      [new Date(AT), new Set([2])],
    ]),
  ],
  ["bytes", new Uint8Array([0, 127, 255])],
  ["a view of its own kind", new BigInt64Array([-1n])],
  ["a buffer", new Uint8Array([1, 2]).buffer],
  ["a RegExp", /a\/b/giu],
  ["a URL", new URL("https://example.com/a?b=c")],
  ["a hole", withHole],
  ["a key __proto__", JSON.parse('{"__proto__":1}')],
  ["a cycle", cyclic()],
  ["an error", new RangeError("too far", { cause: new Error("inner") })],
];

export function describeValues(way: Way): void {
  const { client, freshId } = way;

  describe(`a value ${way.name}`, () => {
    it.each(VALUES)("is what it is on every way: %s", async (_name, value) => {
      const handle = await waiting(await client.start(echo, value, { id: freshId() }));
      expect((await handle.status()).progress).toStrictEqual(value);
      await handle.signal("next", value);
      expect(await handle.result()).toStrictEqual({ kept: value, value });
      const byType = new Map((await all(handle.journal())).map((entry) => [entry.type, entry]));
      expect(byType.get("started")?.["input"]).toStrictEqual(value);
      expect(byType.get("progress")?.["value"]).toStrictEqual(value);
      expect(byType.get("step-completed")?.["value"]).toStrictEqual(value);
      expect(byType.get("signal-received")?.["value"]).toStrictEqual(value);
      expect(byType.get("completed")?.["value"]).toStrictEqual({ kept: value, value });
      const failing = await client.start(echo, value, { id: freshId() });
      await failing.signal("next", "fail");
      expect(await failing.awaitOutcome()).toStrictEqual({
        kind: "failed",
        declared: true,
        code: "BAD",
        message: "BAD",
        details: { kept: value },
      });
      expect((await failing.status()).outcome).toStrictEqual(await failing.awaitOutcome());
    });
  });
}
