import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createDeployment } from "../../src/execution/deployment.ts";
import type { ScheduleOptions } from "../../src/execution/schedules.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { defineWorkflowSpec } from "../../src/execution/workflow-spec.ts";

const tick = defineWorkflow({ name: "tick" }, async () => 1);
const report = defineWorkflow({ name: "report", input: z.object({ day: z.string() }) }, async () => 1);
const workflows = [tick, report];

const GOOD: ScheduleOptions = { name: "nightly", cron: "30 2 * * *", workflow: tick };

function schedulesOf(...schedules: readonly unknown[]) {
  return createDeployment({ workflows, schedules }).schedules;
}

describe("the schedules of a deployment", () => {
  it("are completed from the defaults", () => {
    expect(schedulesOf(GOOD)).toMatchObject([
      { name: "nightly", cron: "30 2 * * *", timeZone: "UTC", workflow: "tick", overlap: "skip", catchUp: "none" },
    ]);
  });

  it("are a frozen copy of what is declared", () => {
    const input = { day: "today" };
    const declared = { ...GOOD, timeZone: "Europe/Berlin", workflow: report, input };
    const schedules = schedulesOf({ ...declared, overlap: "allow", catchUp: "all" }, { ...GOOD, name: "other" });
    const text = schedules[0]?.input;
    input.day = "tomorrow";
    expect(text).toContain("today");
    expect(schedules.map(({ name }) => name)).toEqual(["nightly", "other"]);
    expect([schedules, ...schedules].every(Object.isFrozen)).toBe(true);
  });

  it("name their workflow as itself, as its spec, or by name", () => {
    const spec = defineWorkflowSpec({ name: "tick", output: staticSchema<number>() });
    const names = schedulesOf(GOOD, { ...GOOD, name: "b", workflow: spec }, { ...GOOD, name: "c", workflow: "tick" });
    expect(names.map(({ workflow }) => workflow)).toEqual(["tick", "tick", "tick"]);
  });

  it.each([
    [{ ...GOOD, name: undefined }, TypeError, "schedules[0].name"],
    [{ ...GOOD, name: "Nightly" }, RangeError, "schedules[0].name"],
    [{ ...GOOD, name: "a".repeat(65) }, RangeError, "schedules[0].name"],
    [{ ...GOOD, cron: "61 * * * *" }, RangeError, "schedules[0].cron"],
    [{ ...GOOD, cron: undefined }, TypeError, "schedules[0].cron"],
    [{ ...GOOD, timeZone: "Mars/Phobos" }, RangeError, "schedules[0].timeZone"],
    [{ ...GOOD, workflow: "tock" }, RangeError, "schedules[0].workflow"],
    [{ ...GOOD, workflow: {} }, TypeError, "schedules[0].workflow"],
    [{ ...GOOD, workflow: undefined }, TypeError, "schedules[0].workflow"],
    [{ ...GOOD, workflow: report, input: { day: 5 } }, TypeError, "schedules[0].input"],
    [{ ...GOOD, input: () => 1 }, TypeError, "schedules[0].input"],
    [{ ...GOOD, overlap: "queue" }, TypeError, "schedules[0].overlap"],
    [{ ...GOOD, catchUp: true }, TypeError, "schedules[0].catchUp"],
    [{ ...GOOD, every: "1h" }, TypeError, "schedules[0].every"],
    ["30 2 * * *", TypeError, "schedules[0]"],
  ])("refuse %j", (schedule, errorClass, field) => {
    const refused = () => schedulesOf(schedule);
    expect(refused).toThrow(errorClass);
    expect(refused).toThrow(new RegExp(`^Cannot use ${field.replaceAll(/[.[\]]/g, "\\$&")} as .*: current value is `));
  });

  it("have a name each, are a list, and are at most a hundred", () => {
    expect(() => schedulesOf(GOOD, GOOD)).toThrow(/schedules\[1\]\.name as each name must be there once/);
    expect(() => createDeployment({ workflows, schedules: GOOD })).toThrow(
      /^Cannot use schedules as it must be an array/,
    );
    const many = Array.from({ length: 101 }, (_, index) => ({ ...GOOD, name: `n-${index}` }));
    expect(() => schedulesOf(...many)).toThrow(
      /^Cannot use schedules as there must be at most 100: current value is 101/,
    );
  });

  it("are not refused for what a schema cannot tell before the Worker runs", () => {
    const asking = { ...staticSchema<number>()["~standard"], validate: async () => ({ issues: [{ message: "no" }] }) };
    const failing = { ...asking, validate: () => Promise.reject(new Error("no database")) };
    const throwing = {
      ...asking,
      validate: () => {
        throw new Error("no chance at this point");
      },
    };
    for (const standard of [asking, failing, throwing]) {
      const workflow = defineWorkflow({ name: "w", input: { "~standard": standard } }, async () => 1);
      const schedules = [{ ...GOOD, workflow, input: 1 }];
      expect(createDeployment({ workflows: [workflow], schedules }).schedules).toHaveLength(1);
    }
  });
});
