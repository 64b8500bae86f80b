import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { executionState, waitsOf } from "../../src/journal/view.ts";
import {
  childAwaited,
  childRequested,
  childStarted,
  completed,
  deliveryFailed,
  foldOf,
  messageRequested,
  START_AT,
  started,
  stateAfter,
} from "../support/journal-entries.ts";

const waits = (...entries: readonly Entry[]) => waitsOf(stateAfter(...entries));

describe("waits for other executions as callers see them", () => {
  it("name the execution, and until when it is waited for", () => {
    expect(waits(childAwaited(0), childAwaited(1, { dueAt: START_AT + 5 }))).toEqual([
      { kind: "execution", name: "part/other-1", until: START_AT + 5, because: "timeout" },
      { kind: "execution", name: "part/other-0", because: "no timeout" },
    ]);
  });

  it("name what is to be delivered, and why that is not done", () => {
    expect(waits(childRequested(0), messageRequested(1))).toEqual([
      { kind: "delivery", name: "start of part/child-0", because: "no answer yet" },
      { kind: "delivery", name: "message to part/other", because: "no answer yet" },
    ]);
    expect(waits(childRequested(0), deliveryFailed(0, { attempt: 3 }))).toEqual([
      {
        kind: "delivery",
        name: "start of part/child-0",
        until: START_AT + 1_000,
        because: "backoff after failed delivery 3 of 20",
      },
    ]);
    const asked = waits(childAwaited(0), deliveryFailed(0, { what: "watch", id: "other" }));
    expect(asked.map(({ kind, name }) => [kind, name])).toEqual([
      ["delivery", "question to part/other"],
      ["execution", "part/other-0"],
    ]);
  });

  it("are, after the end, for what others still have to know", () => {
    const parent = { workflow: "whole", id: "w", key: "k" };
    const state = foldOf(started({ parent }), childRequested(0), childStarted(0), childAwaited(1), completed());
    expect(waitsOf(state).map(({ name }) => name)).toEqual(["cancellation of part/child-0", "outcome to whole/w"]);
    expect(executionState(state, true)).toBe("completed");
  });

  it("leave the execution waiting, unless something is under way", () => {
    const state = stateAfter(childRequested(0), deliveryFailed(0));
    expect([executionState(state, false), executionState(state, true)]).toEqual(["waiting", "running"]);
  });
});
