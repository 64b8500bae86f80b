import { defineWorkflow, type Entry, type ExecutionSpan } from "stepwell";
import { createTestEngine } from "stepwell/testing";
import { describe, expect, it } from "vitest";

const chore = defineWorkflow({ name: "chore" }, async ({ step, sleep }) => {
  await step.run("first", () => 1);
  await sleep("1h");
  await step.run("second", () => 2);
});

describe("onEvent", () => {
  it("is told every entry once, in the order of the journal, with whose it is", async () => {
    const told: Entry[] = [];
    const whose = new Set<string>();
    const engine = createTestEngine({
      workflows: [chore],
      env: { DB: "db" } as Partial<Cloudflare.Env>,
      onEvent: (entry, { workflow, id }, env) => {
        told.push(entry);
        whose.add(`${workflow}/${id} ${JSON.stringify(env)}`);
      },
    });
    const execution = await engine.start(chore, undefined, { id: "c" });
    for (let look = 0; look < 4; look += 1) {
      execution.evict();
      await engine.advance("30m");
    }
    expect(execution.state).toBe("completed");
    expect(told.map(({ type, at }) => [type, at])).toEqual(execution.journal.map(({ type, at }) => [type, at]));
    expect(whose).toEqual(new Set(['chore/c {"DB":"db"}']));
  });

  it("and onSpan disturb nothing by what they throw, which is logged", async () => {
    const lines: string[] = [];
    const engine = createTestEngine({
      workflows: [chore],
      onEvent: () => Promise.reject(new Error("no log")),
      onSpan: () => {
        throw new Error("no trace");
      },
      onLog: ({ message, fields }) => lines.push(`${message} ${String(fields["error"])}`),
    });
    const execution = await engine.start(chore);
    await engine.runToEnd();
    expect(execution.state).toBe("completed");
    expect(new Set(lines)).toEqual(new Set(["onEvent failed. Error: no log", "onSpan failed. Error: no trace"]));
  });
});

describe("onSpan", () => {
  it("has the trace begun by the start journaled, and without it none is", async () => {
    const spans: ExecutionSpan[] = [];
    const traced = createTestEngine({ workflows: [chore], onSpan: (span) => void spans.push(span) });
    const execution = await traced.start(chore);
    await traced.runToEnd();
    const own = spans.find(({ kind }) => kind === "execution");
    expect(execution.journal[0]?.["trace"]).toEqual({ traceparent: `00-${own?.traceId}-${own?.spanId}-01` });
    const untraced = createTestEngine({ workflows: [chore] });
    expect((await untraced.start(chore)).journal[0]).not.toHaveProperty("trace");
  });
});
