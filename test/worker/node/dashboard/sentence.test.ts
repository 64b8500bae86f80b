import { describe, expect, it } from "vitest";
import { pastBefore } from "../../../../src/worker/dashboard/model/past.ts";
import type { Phrase, Sentence } from "../../../../src/worker/dashboard/model/phrase.ts";
import { sentenceOf } from "../../../../src/worker/dashboard/model/sentence.ts";
import type { ShownEntry } from "../../../../src/worker/dashboard/model/history.ts";
import { fixtureJournal } from "./fixture-journals.ts";

/** Every fixture begins at this time. */
const STARTED_AT = 4_102_444_800_000;

/** Times as what has passed since the start. */
function inWords(phrases: readonly Phrase[]): string {
  return phrases.map((phrase) => wordsOf(phrase)).join("");
}

function wordsOf(phrase: Phrase): string {
  switch (phrase.kind) {
    case "time":
      return `+${(phrase.at - STARTED_AT) / 1_000}s`;
    case "quote":
      return `"${phrase.text}"`;
    case "execution":
      return `${phrase.execution.workflow}/${phrase.execution.id}`;
    case "text":
    case "name":
      return phrase.text;
  }
}

/** What it is said to be doing after the first entry of a fixture that fits. */
function saidAfter(situation: string, fits: (entry: ShownEntry) => boolean): Sentence {
  const { entries } = fixtureJournal(situation);
  const index = entries.findIndex(fits);
  if (index === -1) throw new Error(`${situation} has no such entry.`);
  return sentenceOf(pastBefore(entries, index + 1));
}

const after = (situation: string, fits: (entry: ShownEntry) => boolean) => inWords(saidAfter(situation, fits).phrases);
const othersAfter = (situation: string, fits: (entry: ShownEntry) => boolean) =>
  saidAfter(situation, fits).others.map(inWords);

describe("the sentence about an execution", () => {
  it("says that nothing is journaled", () => {
    expect(inWords(sentenceOf(pastBefore([], 0)).phrases)).toBe("Nothing is journaled yet.");
  });

  it("names the step that runs, its attempt, and its limits", () => {
    expect(after("steps-retried", ({ type }) => type === "attempt-started")).toBe(
      "Runs plain, attempt 1 of 9, since +0s, for at most 20 s.",
    );
  });

  it("says that a step waits for its backoff, and why", () => {
    expect(after("steps-retried", ({ type }) => type === "attempt-failed")).toBe(
      'Waits for plain, attempt 2 of 9, until +2s, because attempt 1 failed with "TypeError: no answer" and its policy ' +
        "backs off for 2 s.",
    );
  });

  it("says that a step waits because a service asked for it", () => {
    expect(
      after(
        "steps-retried",
        (entry) => entry.type === "attempt-failed" && entry.spent === undefined && entry.because === "retry-after",
      ),
    ).toBe(
      'Waits for told, attempt 2 of 9, until +9s, because attempt 1 failed with "RetryableError: busy" and the service asked ' +
        "for 5 s (Retry-After).",
    );
  });

  it("counts down to the end of a sleep", () => {
    expect(after("steps-in-sequence", ({ type }) => type === "timer-set")).toBe("Sleeps until +3600s.");
  });

  it("names the signal that it waits for", () => {
    expect(after("signals", ({ type }) => type === "signal-awaited")).toMatch(/^Waits for the signal \S+/);
  });

  it("names the callback whose answer it waits for", () => {
    expect(after("callbacks", ({ type }) => type === "callback-awaited")).toMatch(
      /^Waits for the answer to the callback \S+, at most until \+\d+s\.$/,
    );
  });

  it("links the execution whose end it waits for", () => {
    const { phrases } = saidAfter("children-that-end", ({ type }) => type === "child-awaited");
    expect(phrases.map(({ kind }) => kind)).toContain("execution");
  });

  it("says who asked for a pause, and what ends it", () => {
    expect(after("paused-and-resumed", ({ type }) => type === "paused")).toMatch(
      /^Paused since \+[\d.]+s, as somebody asked: ".+"$/,
    );
    expect(othersAfter("paused-and-resumed", ({ type }) => type === "paused")).toEqual([
      "Nothing starts until it is resumed.",
    ]);
  });

  it("says which fault has paused it", () => {
    expect(after("code-that-does-not-fit", ({ type }) => type === "paused")).toMatch(
      /^Paused since \+[\d.]+s by JOURNAL_MISMATCH: "/,
    );
  });

  it("says when its code runs again, and when it starts", () => {
    expect(after("runs-that-failed", ({ type }) => type === "run-failed")).toMatch(
      /^Runs its code again at \+[\d.]+s \(/,
    );
    expect(after("started-later", ({ type }) => type === "started")).toMatch(/^Starts at \+\d+s\.$/);
  });

  it("says that it rolls back, and how it will end", () => {
    expect(after("rolled-back", ({ type }) => type === "rollback-started")).toMatch(/^Rolls back \S+, attempt 1/);
    expect(othersAfter("rolled-back", ({ type }) => type === "rollback-started")).toContainEqual(
      expect.stringMatching(/^It will fail with [A-Z_]+\.$/),
    );
    expect(after("rolled-back", ({ type }) => type === "rollback-failed")).toMatch(
      /^Waits to roll back \S+, attempt 2/,
    );
  });

  it("says that a cancellation was requested", () => {
    expect(othersAfter("cancellation-that-is-caught", ({ type }) => type === "cancel-requested")).toContainEqual(
      expect.stringMatching(/^Its cancellation was requested at /),
    );
  });

  it.each([
    ["steps-in-sequence", "good", /^Completed after 1 h, at \+3600s\.$/],
    ["failed-as-declared", "bad", /^Failed with [A-Z_]+ after \d+ ms, at /],
    ["cancelled", "quiet", /^Cancelled after /],
    ["terminated", "quiet", /^Terminated after .*: ".+"\.?$/],
  ] as const)("says how %s ended, and after how long", (situation, tone, words) => {
    const { entries } = fixtureJournal(situation);
    const sentence = sentenceOf(pastBefore(entries, entries.length));
    expect([sentence.tone, inWords(sentence.phrases)]).toEqual([tone, expect.stringMatching(words)]);
  });

  it("says of a failure which step was given up, and what was rolled back", () => {
    const spent = fixtureJournal("failed-by-an-exhausted-step").entries;
    expect(sentenceOf(pastBefore(spent, spent.length)).others.map(inWords)).toEqual([
      'charge was given up after 3 attempts with "Error: always".',
    ]);
    const rolledBack = fixtureJournal("rolled-back").entries;
    expect(sentenceOf(pastBefore(rolledBack, rolledBack.length)).others.map(inWords)).toContainEqual(
      expect.stringMatching(/^\d of \d steps with a rollback were rolled back/),
    );
  });
});
