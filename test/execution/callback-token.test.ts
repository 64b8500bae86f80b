import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callbackKeys } from "../../src/execution/callback-keys.ts";
import { readCallback, signCallback, type CallbackAddress } from "../../src/execution/callback-token.ts";

const keyOf = (secret: string) => callbackKeys({ STEPWELL_CALLBACK_KEY: secret }, "flows.example.com").accepted;

/** The key of one secret. */
function only(secret: string): Uint8Array {
  const [key] = keyOf(secret);
  if (key === undefined) throw new Error("A secret gives no key.");
  return key;
}

const KEY = only("secret");

const UNRESERVED = "ABCXYZabcxyz0189._~-".split("");
const URL_SAFE = "ABCXYZabcxyz0189_-".split("");
const text = (characters: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });

const addresses: fc.Arbitrary<CallbackAddress> = fc.record({
  workflow: fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,9}){0,3}$/),
  id: text(UNRESERVED, 128),
  startedAt: fc.nat(4_000_000_000_000),
  callback: text(URL_SAFE, 32),
});

describe("the token of a callback", () => {
  it("gives back what it was made for, and stands in a URL as it is", () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const token = signCallback(address, KEY);
        expect(readCallback(token, [KEY])).toEqual(address);
        expect(encodeURIComponent(token)).toBe(token);
        expect(new URL(`https://x.example/${token}/`).pathname).toBe(`/${token}/`);
      }),
    );
  });

  it("is the same whenever it is made", () => {
    const address = { workflow: "order", id: "o-1", startedAt: 1_796_029_200_000, callback: "c" };
    // Links that are on their way must stay good: this is the very text, as another implementation makes it too.
    expect(signCallback(address, KEY)).toBe("order.mx31ew00.c.o-1.pE-XyTrtad5q4HCfngV9Uh5UhPEjCfHsTT29qNqA1wQ");
    expect(signCallback(address, KEY)).toBe(signCallback({ ...address }, only("secret")));
  });

  it("case 216: is refused when any bit of it is another", () => {
    fc.assert(
      fc.property(addresses, fc.nat(), fc.integer({ min: 0, max: 6 }), (address, place, bit) => {
        const token = signCallback(address, KEY);
        const index = place % token.length;
        const flipped = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
        expect(readCallback(token.slice(0, index) + flipped + token.slice(index + 1), [KEY])).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("is refused when characters of it are missing, doubled or moved", () => {
    fc.assert(
      fc.property(addresses, fc.nat(), fc.nat(), (address, from, to) => {
        const token = signCallback(address, KEY);
        const [a, b] = [from % (token.length + 1), to % (token.length + 1)];
        const without = token.slice(0, Math.min(a, b)) + token.slice(Math.max(a, b));
        const doubled = token.slice(0, a) + token.slice(Math.min(a, b));
        const moved = token.slice(a) + token.slice(0, a);
        const others = [without, doubled, moved].filter((other) => other !== token);
        expect(others.map((other) => readCallback(other, [KEY]))).toEqual(others.map(() => undefined));
      }),
    );
  });

  it("cannot be moved to another execution, start, workflow or callback", () => {
    fc.assert(
      fc.property(addresses, addresses, (address, other) => {
        const parts = signCallback(address, KEY).split(".");
        const signature = parts.at(-1) ?? "";
        const forged = [other.workflow, other.startedAt.toString(36), other.callback, other.id, signature].join(".");
        const isSame = JSON.stringify(address) === JSON.stringify(other);
        expect(readCallback(forged, [KEY])).toEqual(isSame ? address : undefined);
      }),
    );
  });

  it("of two addresses is never the same, also where dots could stand in either part", () => {
    fc.assert(
      fc.property(addresses, addresses, (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(signCallback(a, KEY) === signCallback(b, KEY)).toBe(isSame);
      }),
    );
  });

  it("is no other text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (other) => {
        expect(readCallback(other, [KEY])).toBeUndefined();
      }),
    );
    for (const other of ["", ".", "....", "a.b.c.d.e", "order..c.o-1.x"]) {
      expect(readCallback(other, [KEY])).toBeUndefined();
    }
  });

  it("is taken under each of the accepted keys, and under no other", () => {
    const address = { workflow: "order", id: "o-1", startedAt: 1, callback: "c" };
    const token = signCallback(address, only("old"));
    expect(readCallback(token, keyOf("new"))).toBeUndefined();
    expect(readCallback(token, [])).toBeUndefined();
    expect(readCallback(token, [...keyOf("new"), ...keyOf("old")])).toEqual(address);
  });
});

describe("the keys of callbacks", () => {
  const HOST = "flows.example.com";

  it("come from STEPWELL_CALLBACK_KEY, else from STEPWELL_TOKEN, and are never the secrets themselves", () => {
    const own = callbackKeys({ STEPWELL_CALLBACK_KEY: "k", STEPWELL_TOKEN: "t" }, HOST);
    expect(own).toEqual(callbackKeys({ STEPWELL_CALLBACK_KEY: "k" }, HOST));
    const derived = callbackKeys({ STEPWELL_TOKEN: "t" }, HOST);
    expect(derived).toEqual(callbackKeys({ STEPWELL_TOKEN: "t", STEPWELL_CALLBACK_KEY: "" }, HOST));
    expect(derived.signing).not.toEqual(own.signing);
    expect(derived.signing).not.toEqual(new TextEncoder().encode("t"));
    expect(derived.signing).toHaveLength(32);
  });

  it("accept the previous key while it is set, which may be a token", () => {
    const before = callbackKeys({ STEPWELL_TOKEN: "old token" }, HOST);
    const after = callbackKeys(
      { STEPWELL_TOKEN: "new token", STEPWELL_CALLBACK_KEY: "k", STEPWELL_CALLBACK_KEY_PREVIOUS: "old token" },
      HOST,
    );
    expect(after.accepted).toHaveLength(2);
    expect(after.accepted[0]).toEqual(after.signing);
    expect(after.accepted[1]).toEqual(before.signing);
  });

  it.each(["localhost", "127.0.0.1", "127.9.9.9", "[::1]"])("are there without any secret on loopback: %s", (host) => {
    expect(callbackKeys({}, host).signing).toBeDefined();
    expect(callbackKeys({}, host)).toEqual(callbackKeys(undefined, host));
  });

  it("are there neither without a secret elsewhere, nor on a loopback where a token is asked for", () => {
    const none = { signing: undefined, accepted: [] };
    expect(callbackKeys({}, HOST)).toEqual(none);
    expect(callbackKeys({ STEPWELL_CALLBACK_KEY: 5 }, HOST)).toEqual(none);
    expect(callbackKeys({ STEPWELL_READ_TOKEN: "r" }, "localhost")).toEqual(none);
    const previous = callbackKeys({ STEPWELL_CALLBACK_KEY_PREVIOUS: "p" }, HOST);
    expect([previous.signing, previous.accepted.length]).toEqual([undefined, 1]);
  });
});
