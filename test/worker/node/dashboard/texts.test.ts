import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryText } from "../../../../src/worker/dashboard/model/entry-text.ts";
import { pastBefore } from "../../../../src/worker/dashboard/model/past.ts";
import { progressOf } from "../../../../src/worker/dashboard/model/progress.ts";
import {
  clockText,
  countdownText,
  exactText,
  lengthText,
  relativeText,
} from "../../../../src/worker/dashboard/model/time.ts";
import { countText, valueText } from "../../../../src/worker/dashboard/model/value-text.ts";
import { waitText } from "../../../../src/worker/dashboard/model/wait-text.ts";
import { fixtureJournal, FIXTURE_JOURNALS } from "./fixture-journals.ts";

const HOUR_MS = 3_600_000;

describe("times", () => {
  it.each([
    [0, "0 ms"],
    [350, "350 ms"],
    [999.6, "1 s"],
    [4_250, "4.2 s"],
    [9_999, "9.9 s"],
    [12_000, "12 s"],
    [72_000, "1 min 12 s"],
    [3 * HOUR_MS + 5 * 60_000 + 1_000, "3 h 5 min"],
    [76 * HOUR_MS, "3 d 4 h"],
    [48 * HOUR_MS + 1_000, "2 d"],
    [-5, "0 ms"],
  ])("%d ms are %s", (ms, text) => {
    expect(lengthText(ms)).toBe(text);
  });

  it("are counted down in whole seconds, and never to less than now", () => {
    expect([
      countdownText(4_001),
      countdownText(59_999),
      countdownText(1),
      countdownText(0),
      countdownText(-9),
    ]).toEqual(["5 s", "1 min", "1 s", "now", "now"]);
  });

  it("are told as they stand to now", () => {
    expect([relativeText(5_000, 17_900), relativeText(200_000, 5_000), relativeText(5_000, 5_500)]).toEqual([
      "12 s ago",
      "in 3 min",
      "now",
    ]);
  });

  it("have their date where it is another than today's, and their year where it is another", () => {
    const now = Date.UTC(2026, 10, 30, 12);
    expect(clockText(now + 250_000, now, "UTC")).toBe("12:04:10");
    expect(clockText(now + 24 * HOUR_MS, now, "UTC")).toBe("1 Dec, 12:00:00");
    expect(clockText(now - 366 * 24 * HOUR_MS, now, "UTC")).toBe("29 Nov 2025, 12:00:00");
    expect(clockText(now, now, "Asia/Tokyo")).toBe("21:00:00");
    expect(exactText(now)).toBe("2026-11-30T12:00:00.000Z");
  });

  it("are texts without two units where the second is nothing, for every length", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (ms) => {
        expect(lengthText(ms)).toMatch(/^\d+(\.\d)? (ms|s|min|h|d)( [1-9]\d* (s|min|h))?$/);
        expect(countdownText(ms)).toMatch(/^(now|\d+ (s|min|h|d)( [1-9]\d* (s|min|h))?)$/);
      }),
    );
  });
});

describe("the text of a value", () => {
  it("shows what could not be seen, and is still its JSON", () => {
    expect(valueText("a\u202Eb")).toBe(String.raw`"a\u202eb"`);
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        expect(valueText(value)).not.toMatch(/[\u202A-\u202E\u2066-\u2069\uFEFF]/);
        expect(JSON.parse(valueText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keeps together what makes one sign", () => {
    expect(valueText("👩‍👩‍👧")).toBe('"👩‍👩‍👧"');
  });

  it("counts in words", () => {
    expect([countText(0, "signal"), countText(1, "signal"), countText(2, "signal")]).toEqual([
      "0 signals",
      "1 signal",
      "2 signals",
    ]);
  });
});

describe("the text of a wait", () => {
  it.each([
    [
      { kind: "retry", name: "charge-card" },
      { words: "retries charge-card", before: " ", because: "a rule" },
    ],
    [
      { kind: "sleep", name: "sleep#2" },
      { words: "sleeps", before: ", wakes ", because: undefined },
    ],
    [
      { kind: "signal", name: "approval" },
      { words: "waits for the signal approval", before: ", gives up ", because: undefined },
    ],
    [{ kind: "run" }, { words: "runs its code again", before: " ", because: "a rule" }],
  ] as const)("says what it is, and its rule where that says more: %j", (wait, text) => {
    expect(waitText({ ...wait, because: "a rule" })).toEqual(text);
  });
});

describe("progress", () => {
  it.each([
    [0.25, { share: 0.25, text: "25 %" }],
    [{ percent: 40 }, { share: 0.4, text: "40 %" }],
    [{ percent: 400 }, { share: 1, text: "100 %" }],
    [
      { ready: 3, of: 12 },
      { share: 0.25, text: "3 of 12" },
    ],
    [
      { total: 0, done: 0 },
      { share: undefined, text: '{"total":0,"done":0}' },
    ],
    ["charged", { share: undefined, text: "charged" }],
    [7, { share: undefined, text: "7" }],
    [null, { share: undefined, text: "null" }],
    [["a"], { share: undefined, text: '["a"]' }],
    [undefined, undefined],
  ])("of %j is shown", (value, shown) => {
    expect(progressOf(value)).toEqual(shown);
  });

  it("is cut where it is long", () => {
    expect(progressOf("x".repeat(200))?.text).toHaveLength(81);
  });
});

describe("the text of an entry", () => {
  it("says what a failed attempt is about, what happened and when it is tried again", () => {
    const { entries } = fixtureJournal("steps-retried");
    const { history } = pastBefore(entries, entries.length);
    const failed = entries.find(({ type }) => type === "attempt-failed");
    expect(failed && entryText(failed, (op) => history.operations[op]?.name)).toBe(
      "plain · attempt 1 · TypeError: no answer · again in 2 s · backoff",
    );
  });

  it("names what is abandoned, and counts what is too much", () => {
    const ops = ["a", "b", "c", "d", "e"].map((name, op) => ({ op, name, kind: "sleep" as const }));
    expect(entryText({ type: "abandoned", ops, at: 1, entry: 9 }, () => undefined)).toBe("a, b, c and 2 others");
  });

  it("says something of every entry that there is, or nothing, and never what is no text", () => {
    for (const { entries } of FIXTURE_JOURNALS) {
      const { history } = pastBefore(entries, entries.length);
      for (const entry of entries) {
        const text = entryText(entry, (op) => history.operations[op]?.name);
        expect(text).not.toMatch(/(^|· )undefined|\[object|NaN/);
      }
    }
  });
});
