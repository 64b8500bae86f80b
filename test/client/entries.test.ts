import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeValue } from "../../src/client/decode-value.ts";
import type { Encoded, Entry } from "../../src/journal/entry.ts";
import { showEntry } from "../../src/journal/entry-value.ts";
import {
  callbackAnswered,
  childEnded,
  childRequested,
  ending,
  failed,
  messageRequested,
} from "../support/journal-entries.ts";
import { document, scripted } from "./scripted-server.ts";

/** The entries that ARCHITECTURE.md shows, which has one of every type, as the engine has written them. */
function shownEntries(): readonly Entry[] {
  const text = readFileSync(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith('{"type":') && !line.includes("…"));
  return lines.map((line) => JSON.parse(line) as Entry);
}

const isFlat = (value: Encoded) => typeof value === "number" || Array.isArray(value);

/** Those whose values stand in a place of their own. */
const OTHERS: readonly Entry[] = [
  ending(),
  callbackAnswered(0),
  childRequested(0),
  childEnded("other", { outcome: { kind: "completed", value: [["Date", "2026-06-15T12:00:00.000Z"]] } }),
  childEnded("other", {
    outcome: { kind: "failed", declared: true, code: "X", message: "x", details: [["BigInt", "5"]] },
  }),
  childEnded("other", { outcome: { kind: "cancelled" } }),
  messageRequested(0, { message: { kind: "signal", signal: "go", value: [["Set", 1], 5] } }),
  messageRequested(0, { message: { kind: "cancel", reason: "late" } }),
  // Here the message is a text.
  failed({ message: "[1]" }),
];

describe("an entry of a journal", () => {
  const entries = [...shownEntries(), ...OTHERS];

  it.each([...new Set(entries.map(({ type }) => type))])("has its values as what they are: %s", async (type) => {
    const ofType = entries.filter((entry) => entry.type === type);
    const sent = ofType.map((entry) => showEntry(entry, (value) => value));
    const { client } = scripted(document(200, { entries: sent, next: null }));
    const read: unknown[] = [];
    for await (const entry of client.get("order", "o-1").journal()) read.push(entry);
    expect(read).toStrictEqual(
      ofType.map((entry) => showEntry(entry, (value) => (isFlat(value) ? decodeValue(value as number) : value))),
    );
  });

  it("is searched in all that there are", () => {
    expect(new Set(entries.map(({ type }) => type)).size).toBeGreaterThan(25);
  });
});
