import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { MemoryHost } from "../support/memory-host.ts";

const signals = { s: staticSchema<string>(), go: staticSchema<number>() };

describe("floods of signals", () => {
  it("case 138: ten thousand signals that nobody reads are kept, further ones refused until some are read", async () => {
    const workflow = defineWorkflow({ name: "flooded", signals }, async ({ awaitSignal }) => {
      await awaitSignal("go", { timeout: "1h" });
      const { value } = await awaitSignal("s");
      return [value, await awaitSignal("go", { timeout: "1h" })];
    });
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    for (let i = 0; i < LIMITS.bufferedSignals; i += 1) expect(await probe.signal("s", `${i}`)).toBe("accepted");
    for (let i = 0; i < 5; i += 1) expect(await probe.signal("s", "over")).toBe("SIGNAL_LIMIT");
    expect((await probe.view()).unreadSignals).toBe(LIMITS.bufferedSignals);
    await probe.evict();
    await host.advance(3_600_000);
    expect(await probe.signal("s", "room again")).toBe("accepted");
    expect(await probe.signal("s", "over")).toBe("SIGNAL_LIMIT");
    await host.advance(3_600_000);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: ["0", { received: false }] });
    expect((await probe.view()).unreadSignals).toBe(LIMITS.bufferedSignals);
  });

  it("case 138: unread signals are bounded by their bytes too", async () => {
    const workflow = defineWorkflow({ name: "heavy", signals }, async ({ awaitSignal }) => await awaitSignal("go"));
    const host = new MemoryHost({ workflows: [workflow] });
    const probe = await host.start(workflow);
    const text = "x".repeat(7 * 1_024 * 1_024);
    const answers: string[] = [];
    for (let i = 0; i < 6; i += 1) answers.push(await probe.signal("s", text));
    expect(answers).toEqual(["accepted", "accepted", "accepted", "accepted", "SIGNAL_LIMIT", "SIGNAL_LIMIT"]);
    // A text alone is encoded with two brackets and two quotes.
    const rest = LIMITS.bufferedSignalBytes - 4 * (text.length + 4);
    expect(await probe.signal("s", "x".repeat(rest - 3))).toBe("SIGNAL_LIMIT");
    expect(await probe.signal("s", "x".repeat(rest - 4))).toBe("accepted");
    expect(await probe.signal("s", "")).toBe("SIGNAL_LIMIT");
  });

  it("case 128: a signal to an id that was never started stores nothing and sets no alarm", async () => {
    const workflow = defineWorkflow({ name: "nobody", signals }, async () => {});
    const host = new MemoryHost({ workflows: [workflow] });
    const object = host.object(workflow, "unknown");
    const signal = { name: "s", value: encodeValue("x", LIMITS.valueBytes), waitMs: 0 };
    expect(await object.service.signal(signal)).toEqual({ kind: "absent" });
    expect(await object.service.view()).toEqual({ kind: "absent" });
    expect(await object.service.command({ command: "cancel" })).toEqual({ kind: "absent" });
    await host.advance(60_000);
    expect(object.isEmpty).toBe(true);
    expect(object.operations).toBe(0);
  });
});
