import { defineWorkflow } from "../../src/execution/workflow.ts";
import { createTestEngine } from "../../src/testing/index.ts";
import { journalLanes } from "./journal-lanes.ts";
import type { Bar, Lane, Mark, Picture } from "./picture.ts";

/** An object that dies in the middle of a step, and one that leaves memory in a sleep. */
async function replayPicture(): Promise<Picture> {
  const calls: number[] = [];
  let diedAt = 0;
  const order = defineWorkflow({ name: "order" }, async ({ step, sleep }) => {
    calls.push(engine.now);
    await step.run("reserve-stock", () => engine.delay("2s"));
    await step.run("charge-card", async ({ attempt }) => {
      await engine.delay("3s");
      if (attempt === 1) diedAt = engine.now;
    });
    await sleep("8s");
    await step.run("ship", () => engine.delay("2s"));
  });
  const engine = createTestEngine({ workflows: [order], patience: 0 });
  engine.interrupt("charge-card");
  const execution = await engine.start(order, undefined);
  await engine.advance("14s");
  execution.evict();
  const evictedAt = engine.now;
  await engine.runToEnd();
  const { journal } = execution;
  const lives = livesOf([...calls, journal.at(-1)?.at ?? 0], [diedAt, evictedAt]);
  const called = calls.map((at): Mark => ({ kind: "called", at }));
  return {
    title:
      "An object that dies in a step and later leaves memory: the function is called three times, each completed step runs once",
    lanes: [
      { name: "object", bars: lives, marks: called },
      ...journalLanes(journal).map((lane) => cutAt(lane, diedAt)),
    ],
    happenings: [
      { at: diedAt, label: "the object dies" },
      { at: evictedAt, label: "it is evicted" },
    ],
  };
}

/** From each call of the function to the loss before the next one; the last to the end. */
function livesOf(begun: readonly number[], lost: readonly number[]): readonly Bar[] {
  const end = begun.at(-1) ?? 0;
  return begun.slice(0, -1).map((from, index) => ({ kind: "lives", from, to: lost[index] ?? end }));
}

/** The journal learns of a lost attempt when the object is back: it ran until the object died. */
function cutAt({ name, bars, marks }: Lane, diedAt: number): Lane {
  const lost = marks.find(({ kind }) => kind === "lost");
  if (lost === undefined) return { name, bars, marks };
  const cut = bars.map((bar) => (bar.kind === "runs" && bar.to === lost.at ? { ...bar, to: diedAt } : bar));
  return { name, bars: cut, marks: marks.map((mark) => (mark === lost ? { ...mark, at: diedAt } : mark)) };
}

/** What is lost and comes back, by the names of the pictures. */
export function lossPictures(): Readonly<Record<string, Promise<Picture>>> {
  return { replay: replayPicture() };
}
