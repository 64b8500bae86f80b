import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/journal/entry.ts";
import { stepsToRollBack } from "../../src/journal/rollback.ts";
import type { State } from "../../src/journal/state.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { cases, movesOf } from "./commanded-cases.ts";
import { CommandedRun, type Act, type Case, type Move } from "./commanded-run.ts";
import { faultsOf } from "./journal-faults.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";

/** Mostly pauses and what ends them, or few programs would be left to run. */
const LIVING: readonly Act[] = ["pause", "pause", "resume", "resume", "cancel", "a", "b", "answer", "answer"];
const anywhere = movesOf([...LIVING, "terminate", "evict", "kill"], fc.integer({ min: 1, max: 9 }));
const undying = movesOf([...LIVING, "terminate"], fc.integer({ min: 1, max: 9 }));
const atRest = movesOf(LIVING, fc.constant(Number.MAX_SAFE_INTEGER));

/** The invariants of an execution that is over. */
function check(run: CommandedRun, fails: boolean): void {
  expect([...run.violations, ...faultsOf(run.facts)]).toEqual([]);
  expect(run.keepsAnswers).toBe(true);
  const state = storedState(run.object);
  // Code that does not fail may still be overtaken by its deadline.
  const hasFailed = fails || (state.end?.type === "failed" && state.end.code === "DEADLINE_EXCEEDED");
  expect(state.end?.type).toMatch(hasFailed ? /failed|cancelled/ : /completed|cancelled/);
  expect(run.object.alarm).toBe(wantedAlarm(run.object));
  expect(isAtRest(run.object)).toBe(true);
  checkRollbacks(run, state);
  for (const operation of state.operations) {
    if (operation.kind !== "step") continue;
    const { name, attempts, uncharged, phase, policy } = operation;
    expect(attempts - uncharged).toBeLessThanOrEqual(policy.maximumAttempts ?? 0);
    if (!run.isUndisturbed || !isNamedOnce(state.operations, name)) continue;
    const hits = run.hits.get(name) ?? 0;
    // An attempt that a command overtook was journaled and never called.
    const overtaken = phase === "cancelled" || phase === "abandoned" ? 1 : 0;
    expect([name, hits <= attempts && hits >= attempts - overtaken]).toEqual([name, true]);
  }
}

/** Each completed step that has a rollback has one outcome of it, unless somebody terminated the execution. */
function checkRollbacks({ isUndisturbed, hits }: CommandedRun, state: State): void {
  const { end, rollbacks, operations } = state;
  const due = end?.type === "completed" ? [] : stepsToRollBack(state).map(({ op }) => op);
  expect([...rollbacks.keys()]).toEqual(due);
  const isTerminated = end?.type === "cancelled" && end.by === "terminated";
  for (const { name, phase, attempts, uncharged, policy } of rollbacks.values()) {
    expect(isTerminated ? ["completed", "exhausted", "not-run"] : ["completed", "exhausted"]).toContain(phase);
    expect(attempts - uncharged).toBeLessThanOrEqual(policy.maximumAttempts ?? 0);
    if (!isUndisturbed || !isNamedOnce(operations, name)) continue;
    expect([name, hits.get(`undo ${name}`) ?? 0]).toEqual([name, attempts]);
  }
}

/** `unawaited` steps may share a place with others. */
function isNamedOnce(operations: readonly { readonly name: string }[], name: string): boolean {
  return operations.filter((operation) => operation.name.split("#")[0] === name.split("#")[0]).length === 1;
}

async function execute(given: Case, moves: readonly Move[]): Promise<CommandedRun> {
  const run = new CommandedRun(given);
  const [first, ...others] = moves;
  if (first === undefined) await run.start();
  else await run.move(first, () => run.start());
  for (const move of others) await run.move(move);
  await run.finish();
  return run;
}

/** The same with its object lost at some of its rests. */
async function executeEvicted(
  given: Case,
  moves: readonly Move[],
  evictions: readonly boolean[],
): Promise<CommandedRun> {
  const run = new CommandedRun(given);
  let rest = 0;
  const rested = () => {
    if (run.isAtRest && evictions[rest++ % evictions.length] === true) run.object.evict();
  };
  await run.start();
  rested();
  for (const { ms, ...move } of moves) {
    await run.move({ ms, ...move }, () => advance(run, ms, rested));
    rested();
  }
  await run.finish();
  return run;
}

/** In small steps, so that rests are seen. */
async function advance({ host }: CommandedRun, ms: number, rested: () => void): Promise<void> {
  const until = host.now() + ms;
  while (host.now() < until) {
    const next = Math.min(until, Math.max(host.nextAt() ?? until, host.now() + 1));
    await host.advance(next - host.now());
    rested();
  }
}

/** A pause or a termination came between the journaled end and the last entry. */
function isCommandedWhileEnding(facts: readonly Entry[]): boolean {
  const ending = facts.findIndex(({ type }) => type === "ending");
  return ending !== -1 && facts.slice(ending).some(({ type }) => type === "paused" || type === "rollback-not-run");
}

const RUNS = LONG ? 20_000 : 400;

describe("commands", () => {
  it(`keep the invariants of ${RUNS} random programs, whichever turn they come in`, async () => {
    let commanded = 0;
    let whileEnding = 0;
    await fc.assert(
      fc.asyncProperty(cases, undying, async (given, moves) => {
        const run = await execute(given, moves);
        check(run, given.fails);
        if (run.facts.some(({ type }) => type === "paused")) commanded += 1;
        if (isCommandedWhileEnding(run.facts)) whileEnding += 1;
      }),
      { numRuns: RUNS },
    );
    expect(commanded).toBeGreaterThan(RUNS / 8);
    expect(whileEnding).toBeGreaterThan(RUNS / 40);
  });

  it("keep them when the object is lost among them", async () => {
    await fc.assert(
      fc.asyncProperty(cases, anywhere, async (given, moves) => check(await execute(given, moves), given.fails)),
      { numRuns: RUNS },
    );
  });

  it("have the same journal and calls when the object is lost at its rests as without", async () => {
    const evictions = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cases, atRest, evictions, async (given, moves, lost) => {
        const without = await executeEvicted(given, moves, [false]);
        const evicted = await executeEvicted(given, moves, lost);
        check(without, given.fails);
        expect(evicted.facts).toEqual(without.facts);
        expect([...evicted.hits]).toEqual([...without.hits]);
      }),
      { numRuns: RUNS },
    );
  });
});
