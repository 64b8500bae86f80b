import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryDirectory, type ReportFate } from "../support/memory-directory.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const talk = defineWorkflow({ name: "talk", signals: { go: staticSchema<number>() } }, async (context) => {
  for (let turn = 0; ; turn += 1) {
    const { received, value } = { value: 1, ...(await context.awaitSignal("go", { timeout: "5m" })) };
    context.setAttributes({ turn });
    if (received && value === 0) return turn;
    await context.step.run("work", ({ attempt }) => {
      if (attempt === 1 && value === 2) throw new Error("Not yet.");
    });
  }
});

type Act = "go" | "end" | "fail" | "pause" | "resume" | "terminate" | "evict" | "kill" | "look" | "second" | "minute";

const acts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Act>("go", "fail", "pause", "resume", "second", "minute", "look") },
    { weight: 3, arbitrary: fc.constantFrom<Act>("evict", "kill") },
    { weight: 1, arbitrary: fc.constantFrom<Act>("end", "terminate") },
  ),
  { minLength: 1, maxLength: 14 },
);
const fates = fc.array(fc.constantFrom<ReportFate>("delivered", "lost", "unanswered", "repeated", "late", "silent"), {
  maxLength: 6,
});

async function perform(host: MemoryHost, probe: MemoryProbe, act: Act): Promise<unknown> {
  switch (act) {
    case "go":
      return await probe.signal("go", 1);
    case "fail":
      return await probe.signal("go", 2);
    case "end":
      return await probe.signal("go", 0);
    case "pause":
    case "resume":
    case "terminate":
      return await probe.command(act);
    case "evict":
    case "kill":
      // In the midst of what comes next.
      return host.clock.timer(host.now() + 1, () => probe.object[act]());
    case "look":
      return await probe.object.service.view();
    case "second":
      return await host.advance(1_000);
    case "minute":
      return await host.advance(60_000);
  }
}

describe("whatever happens to an execution and to its reports", () => {
  it("case 223: the directory has it as it is, soon after the directory can be reached, and nothing of it after its purge", async () => {
    await fc.assert(
      fc.asyncProperty(acts, fates, async (steps, met) => {
        const directory = new MemoryDirectory();
        const host = new MemoryHost({
          workflows: [talk],
          isOrdered: true,
          directory: { directory, fate: (call) => met[call - 1] ?? "delivered" },
        });
        const probe = await host.start(talk, { id: "t" });
        for (const act of steps) await perform(host, probe, act);
        // The last of so many failures is made up for within the hour after that.
        await host.advance(3 * HOUR_MS);
        const { state, attributes } = await probe.view();
        // A call may be late by 45 seconds.
        await host.advance(60_000);
        const known = directory.get("talk/t");
        expect(known?.state).toBe(state);
        // What is told at most every ten seconds may be one turn behind, or ahead of the view.
        expect(Math.abs(Number(known?.attributes["turn"] ?? 0) - Number(attributes["turn"] ?? 0))).toBeLessThanOrEqual(
          1,
        );
        await probe.command("terminate");
        await host.advance(9 * DAY_MS);
        expect(directory.reports.size).toBe(0);
        expect(probe.object.isEmpty).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});
