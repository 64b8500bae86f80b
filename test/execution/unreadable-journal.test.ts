import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { JournalRow } from "../../src/execution/ports.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost } from "../support/memory-host.ts";

const HOUR_MS = 3_600_000;

const waits = defineWorkflow({ name: "waits", signals: { s: staticSchema<number>() } }, async ({ awaitSignal }) => {
  await awaitSignal("s");
});

/** An execution whose journal a newer engine went on with. */
async function continued(host: MemoryHost, ...entries: readonly object[]) {
  const probe = await host.start(waits);
  const seq = (await probe.facts()).length;
  // The cast: behind the engine's back.
  (probe.object.rows as JournalRow[]).push({ seq, entries: JSON.stringify(entries) });
  await probe.evict();
  return probe;
}

/** What a later engine may invent; the second entry speaks of what the first one brought about. */
const LOCK = { type: "lock-requested", op: 1, kind: "lock", name: "c", at: 0 };
const ATTEMPT = { type: "attempt-started", op: 1, attempt: 2, at: 0 };

describe("a journal that a newer engine wrote", () => {
  it("is shown as paused for that, whatever follows its first unknown entry", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await continued(host, LOCK, ATTEMPT);
    const { state, reason, usage } = await probe.view();
    expect(state).toBe("paused");
    expect(reason).toMatchObject({ code: "JOURNAL_UNREADABLE", message: expect.stringContaining("lock-requested") });
    expect(usage.entries).toBe(4);
    expect((await probe.facts()).map(({ type }) => type).slice(2)).toEqual(["lock-requested", "attempt-started"]);
  });

  it("refuses signals and commands as unsupported", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await continued(host, LOCK, ATTEMPT);
    const stored = JSON.stringify(probe.object.rows);
    expect(await probe.signal("s", 1)).toBe("UNSUPPORTED");
    for (const command of ["pause", "resume", "cancel", "terminate"] as const) {
      expect([command, await probe.command(command)]).toEqual([command, "UNSUPPORTED"]);
    }
    expect(JSON.stringify(probe.object.rows)).toBe(stored);
  });

  it("is looked at once an hour, and not written to", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await continued(host, LOCK, ATTEMPT);
    const stored = JSON.stringify(probe.object.rows);
    await probe.ring();
    const { alarmsSet } = probe.object;
    await host.advance(10 * HOUR_MS);
    expect(probe.object.alarmsSet - alarmsSet).toBe(10);
    expect(await probe.alarm()).toBe(10 * HOUR_MS + LIMITS.unreadableRetryMs);
    expect(JSON.stringify(probe.object.rows)).toBe(stored);
    expect(host.logs).toEqual([]);
  });

  it("tells how the execution ended", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await continued(host, LOCK, ATTEMPT, { type: "completed", value: [1], at: 5 });
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    expect(await probe.command("pause")).toBe("EXECUTION_ENDED");
  });

  it("is purged after the retention of an execution that ended in it", async () => {
    const host = new MemoryHost({ workflows: [waits] });
    const probe = await continued(host, LOCK, { type: "completed", value: [1], at: 0 });
    await probe.spoilAlarm(LIMITS.retentionDefaultMs);
    await host.advance(LIMITS.retentionDefaultMs);
    expect(probe.object.isEmpty).toBe(true);
  });
});
