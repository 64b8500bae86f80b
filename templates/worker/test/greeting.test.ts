import { createTestEngine } from "stepwell/testing";
import { expect, it } from "vitest";
import { greeting } from "../src/greeting.ts";

it("gives the answer that came", async () => {
  const engine = createTestEngine({ workflows: [greeting] });
  const execution = await engine.start(greeting, { to: "Ada" });
  await engine.advance("2s");
  await execution.signal("answer", { text: "Good day!" });
  expect(execution.outcome).toEqual({ kind: "completed", value: { text: "Hello, Ada!", answer: "Good day!" } });
});

it("waits for a day", async () => {
  const engine = createTestEngine({ workflows: [greeting] });
  const execution = await engine.start(greeting, { to: "Ada" });
  await engine.runToEnd();
  expect(execution.outcome).toEqual({ kind: "completed", value: { text: "Hello, Ada!", answer: "none" } });
  expect(engine.now).toBe(2_000 + 86_400_000);
});
