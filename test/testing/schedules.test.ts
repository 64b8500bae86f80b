import { defineWorkflow, staticSchema, type Schedule } from "stepwell";
import { createTestEngine } from "stepwell/testing";
import { describe, expect, it } from "vitest";

const NOON = Date.UTC(2026, 2, 28, 12);

const report = defineWorkflow(
  { name: "report", input: staticSchema<string>() },
  async ({ input, execution, sleep }) => {
    await sleep("10m");
    return `${input} ${String(execution.attributes["scheduledAt"])}`;
  },
);
const NIGHTLY: Schedule = {
  name: "nightly",
  cron: "30 2 * * *",
  timeZone: "Europe/Berlin",
  workflow: report,
  input: "sales",
};

describe("schedules in a test", () => {
  it("start executions when the clock passes their times, over a change of the clock on the wall", async () => {
    const engine = createTestEngine({ workflows: [report], schedules: [NIGHTLY], now: NOON });
    await engine.advance("1d");
    const skipped = Date.UTC(2026, 2, 29, 1);
    expect(engine.get(report, "nightly.20260329T010000Z").outcome).toEqual({
      kind: "completed",
      value: `sales ${skipped}`,
    });
    await engine.advance("1d");
    expect(engine.get(report, "nightly.20260330T003000Z").state).toBe("completed");
  });

  it("are not waited for, as they never end", async () => {
    const engine = createTestEngine({ workflows: [report], schedules: [NIGHTLY], now: NOON });
    const execution = await engine.start(report, "by hand");
    await engine.runToEnd();
    expect([execution.state, engine.now]).toEqual(["completed", NOON + 600_000]);
  });

  it("go on for months", async () => {
    const engine = createTestEngine({ workflows: [report], schedules: [NIGHTLY], now: NOON, retention: "365d" });
    await engine.advance("12w");
    expect(engine.get(report, "nightly.20260619T003000Z").state).toBe("completed");
  });

  it("are refused as by stepwell", () => {
    const schedules = [{ ...NIGHTLY, cron: "30 25 * * *" }];
    expect(() => createTestEngine({ workflows: [report], schedules })).toThrow(/^Cannot use schedules\[0\]\.cron as/);
  });
});
