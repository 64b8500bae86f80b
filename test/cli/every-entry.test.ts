import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeEntry } from "../../src/cli/describe-entry.ts";
import { drawTimeline } from "../../src/cli/draw-timeline.ts";
import { timelineRows } from "../../src/cli/timeline-rows.ts";
import { showEntry } from "../../src/journal/entry-value.ts";
import { type Entry, isEnd } from "../../src/journal/entry.ts";
import { decodeValue } from "../../src/journal/value.ts";
import { allEntries, type Fixture } from "../fixtures/record.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/format-1");

/** An entry as the client gets it. */
interface Shown {
  readonly type: Entry["type"];
  readonly at: number;
}

/** Journals of every situation that there is. */
const journals = readdirSync(FOLDER).flatMap((file) => {
  const { situation, executions } = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Fixture;
  return executions.map((kept): [name: string, entries: readonly Shown[]] => [
    `${kept.workflow}/${kept.id}`,
    allEntries({ situation, executions: [kept] }).map((entry) =>
      showEntry(entry, (value) =>
        typeof value === "object" && "blob" in value ? value : decodeValue(JSON.stringify(value)),
      ),
    ) as unknown as readonly Shown[],
  ]);
});

describe("the journal of every situation", () => {
  it.each(journals)("%s is told entry by entry", (_name, entries) => {
    for (const entry of entries) {
      const { text } = describeEntry(entry);
      expect(text).toMatch(/^[^\n]{4,}$/);
      expect(text).not.toMatch(/undefined(?!;)|NaN(?!")|\[object/);
    }
  });

  it.each(journals)("%s has a row for each operation, and none is open after the end", (_name, entries) => {
    const rows = timelineRows(entries);
    const asked = entries.filter((entry) => "op" in entry && "name" in entry && "kind" in entry);
    expect(rows.filter(({ name }) => !name.endsWith("(rollback)"))).toHaveLength(asked.length);
    const [first] = entries;
    const last = entries.at(-1);
    if (first === undefined || last === undefined) throw new Error("The journal is empty.");
    for (const { stretches } of rows) {
      for (const { from, to = last.at } of stretches) expect(from).toBeLessThanOrEqual(to);
    }
    const hasEnded = entries.some((entry) => isEnd(entry as Entry));
    const open = rows.filter(({ end, stretches }) => end === undefined || stretches.some(({ to }) => to === undefined));
    expect(hasEnded ? open : []).toEqual([]);
    const lines = drawTimeline(rows, { from: first.at, to: last.at, columns: 100 });
    for (const { text } of lines) expect(text).not.toMatch(/undefined|NaN/);
  });
});

describe("a timeline", () => {
  const asked = (op: number, at: number, name = `sleep#${op}`) => {
    return { type: "timer-set", op, kind: "sleep", name, dueAt: at + 5, at };
  };

  it("leaves out rows in the middle where there are many, and says how many", () => {
    const rows = timelineRows(Array.from({ length: 100 }, (_, op) => asked(op, op)));
    const lines = drawTimeline(rows, { from: 0, to: 100, columns: 100 });
    expect(lines).toHaveLength(62);
    expect(lines[31]).toEqual({ text: "… 40 more …", tone: "quiet" });
  });

  it("shortens long names, and has a bar in the narrowest terminal", () => {
    const rows = timelineRows([asked(0, 0, "n".repeat(128))]);
    const [, line] = drawTimeline(rows, { from: 0, to: 4, columns: 20 });
    expect(line).toEqual({ text: `${"n".repeat(23)}… ░░░░░░░░░░ 4 ms, goes on in 1 ms`, tone: "waiting" });
    expect(drawTimeline([], { from: 0, to: 4, columns: 20 })).toEqual([]);
  });
});
