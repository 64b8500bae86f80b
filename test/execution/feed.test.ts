import { describe, expect, it } from "vitest";
import { Feed, type Viewer } from "../../src/execution/feed.ts";
import { Journal } from "../../src/execution/journal.ts";
import type { JournalRow } from "../../src/execution/ports.ts";
import { LIMITS } from "../../src/limits.ts";
import { started } from "../support/journal-entries.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const FORM = { form: "json", journalPath: "/journal" } as const;

/** A journal whose writes become durable when the test says so. */
function createFeed() {
  const rows: JournalRow[] = [];
  const syncs: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const logs: string[] = [];
  let reads = 0;
  const storage = {
    read: (from: number, count = rows.length) => {
      reads += 1;
      const first = Math.max(
        0,
        rows.findLastIndex(({ seq }) => seq <= from),
      );
      return rows.slice(first, first + count);
    },
    write: (commit: { readonly rows: readonly JournalRow[] }) => void rows.push(...commit.rows),
    readBlob: () => undefined,
    deleteAll: async () => {},
    rowsWritten: 0,
  };
  const journal = new Journal(storage);
  const clock = new VirtualClock(1_000);
  const durable = () => new Promise<void>((resolve, reject) => syncs.push({ resolve, reject }));
  const turn = { end: async () => {}, durable };
  const feed = new Feed({ turn, clock, log: (_level, message) => void logs.push(message) }, () => journal);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { feed, clock, journal, syncs, logs, settled, rows, reads: () => reads };
}

function viewer(): Viewer & { sights: number; isGone: boolean } {
  return {
    sights: 0,
    isGone: false,
    see() {
      this.sights += 1;
    },
    leave() {
      this.isGone = true;
    },
  };
}

const numbers = (feed: Feed, from = 0) => [...feed.entries(from, FORM)].map(({ number }) => number);

describe("a feed", () => {
  it("does nothing while nobody watches", async () => {
    const { feed, journal, syncs, settled, reads } = createFeed();
    journal.append(started());
    journal.commit();
    feed.look();
    await settled();
    expect([syncs.length, reads()]).toEqual([0, 0]);
    const stop = feed.watch(viewer());
    stop();
    expect(feed.viewers).toBe(0);
    feed.look();
    await settled();
    expect(syncs).toHaveLength(1);
  });

  it("shows nothing before it is durable, and not what was committed while that was awaited", async () => {
    const { feed, journal, syncs, settled } = createFeed();
    journal.append(started());
    journal.commit();
    const eye = viewer();
    feed.watch(eye);
    expect([eye.sights, numbers(feed)]).toEqual([0, []]);
    journal.append({ type: "resumed", at: 1 });
    journal.commit();
    feed.look();
    syncs.shift()?.resolve();
    await settled();
    expect([eye.sights, numbers(feed)]).toEqual([1, [0]]);
    expect(syncs).toHaveLength(1);
    syncs.shift()?.resolve();
    await settled();
    expect([eye.sights, numbers(feed)]).toEqual([2, [0, 1]]);
  });

  it("does not show what is appended and not committed", async () => {
    const { feed, journal, syncs, settled } = createFeed();
    journal.append(started());
    journal.commit();
    journal.append({ type: "resumed", at: 1 });
    feed.watch(viewer());
    syncs.shift()?.resolve();
    await settled();
    expect(numbers(feed)).toEqual([0]);
  });

  it("asks once for all commits of a turn", async () => {
    const { feed, journal, syncs, settled } = createFeed();
    journal.append(started());
    journal.commit();
    feed.watch(viewer());
    for (let index = 0; index < 5; index += 1) feed.look();
    expect(syncs).toHaveLength(1);
    syncs.shift()?.resolve();
    await settled();
    expect(syncs).toHaveLength(1);
  });

  it("tells many viewers of several commits at once, and few of each", async () => {
    for (const [count, waitMs] of [
      [9, 0],
      [10, 10],
      [105, 100],
    ] as const) {
      const { feed, clock, syncs, settled } = createFeed();
      const eye = viewer();
      feed.watch(eye);
      for (let more = 1; more < count; more += 1) feed.watch(viewer());
      syncs.shift()?.resolve();
      await settled();
      feed.look();
      await settled();
      expect([count, syncs.length, clock.nextAt ?? clock.now()]).toEqual([count, waitMs === 0 ? 1 : 0, 1_000 + waitMs]);
      feed.look();
      clock.moveTo(1_000 + waitMs);
      clock.fireDue();
      await settled();
      syncs.shift()?.resolve();
      await settled();
      expect(eye.sights).toBe(2);
    }
  });

  it("sends its viewers away when storage fails, and when the journal is purged", async () => {
    const { feed, syncs, settled, logs } = createFeed();
    const eye = viewer();
    feed.watch(eye);
    syncs.shift()?.reject(new Error("no storage"));
    await settled();
    expect([eye.isGone, logs]).toEqual([true, ["Viewers are sent away as storage failed."]]);
    const other = viewer();
    feed.watch(other);
    feed.leave();
    expect(other.isGone).toBe(true);
  });

  it("takes what was durable in a journal that is purged for nothing in the next one", async () => {
    const { feed, journal, syncs, settled } = createFeed();
    journal.append(started());
    journal.commit();
    const eye = viewer();
    feed.watch(eye);
    feed.leave();
    syncs.shift()?.resolve();
    await settled();
    expect([eye.sights, numbers(feed)]).toEqual([0, []]);
  });

  it("reads no more of a long journal than is wanted", async () => {
    const { feed, journal, syncs, settled, reads } = createFeed();
    journal.append(started());
    journal.commit();
    for (let at = 0; at < 1_000; at += 1) {
      journal.append({ type: "resumed", at });
      journal.commit();
    }
    feed.watch(viewer());
    syncs.shift()?.resolve();
    await settled();
    const before = reads();
    for (const { number } of feed.entries(500, FORM)) if (number === 510) break;
    expect(reads() - before).toBe(1);
    expect(numbers(feed)).toEqual(Array.from({ length: 1_001 }, (_, number) => number));
    expect(numbers(feed, 1_000)).toEqual([1_000]);
    expect(numbers(feed, 1_001)).toEqual([]);
  });

  it("gives every viewer the same text, in the form that it wants, also when it no longer keeps it", async () => {
    const { feed, journal, syncs, settled } = createFeed();
    journal.append(started());
    const value = journal.encoded(JSON.stringify(["x".repeat(50_000)]));
    for (let at = 0; at < 2 * Math.ceil(LIMITS.shownEntriesLength / 50_000); at += 1) {
      journal.append({ type: "progress", value, at });
    }
    journal.commit();
    feed.watch(viewer());
    syncs.shift()?.resolve();
    await settled();
    const texts = () => [...feed.entries(0, FORM)].map(({ text }) => text);
    const first = texts();
    expect(texts()).toEqual(first);
    const [, progress] = [...feed.entries(0, { ...FORM, form: "values" })].map(({ text }) => JSON.parse(text));
    expect(progress.value).toEqual(["x".repeat(50_000)]);
    expect(JSON.parse(first[1] ?? "").value).toBe("x".repeat(50_000));
  });
});
