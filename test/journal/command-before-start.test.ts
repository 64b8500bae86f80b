import { describe, expect, it } from "vitest";
import { decideCommand } from "../../src/journal/command.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { State } from "../../src/journal/state.ts";
import { foldOf, paused, START_AT, started } from "../support/journal-entries.ts";

const AT = START_AT + 500;

function cancel(state: State, reason?: string) {
  return decideCommand(state, { command: "cancel", ...(reason !== undefined && { reason }) }, AT);
}

describe("a cancel of what has not run yet, as its start is later", () => {
  const startAt = START_AT + 60_000;
  const notStarted = (...entries: readonly Entry[]) => foldOf(started({ startAt }), ...entries);

  it("ends it, as there is nothing to compensate and its code must not run before its time", () => {
    const entries = [
      { type: "cancel-requested", reason: "not wanted", at: AT },
      { type: "cancelled", by: "before-start", reason: "not wanted", at: AT },
    ];
    expect(cancel(notStarted(), "not wanted")).toEqual({ kind: "entries", entries });
    expect(cancel(notStarted(paused()), "not wanted")).toEqual({ kind: "entries", entries });
  });

  it("is told to its code from the first run on", () => {
    const running = notStarted({ type: "run-started", attempt: 1, at: START_AT });
    expect(cancel(running)).toEqual({ kind: "entries", entries: [{ type: "cancel-requested", at: AT }] });
  });
});
