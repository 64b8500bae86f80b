import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import { stepsToRollBack } from "../../src/journal/rollback.ts";
import type { State } from "../../src/journal/state.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { answerTo, verdictOf } from "../support/answering.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { insist } from "../support/insist.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { programs, type Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { startOptions, terms, type Terms } from "./start-terms.ts";
import { serviceOf, type World } from "./world.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const HORIZON_MS = 400_000;
/** A search is done when it is done; this only ends one that hangs. */
const SEARCH_MS = 60 * 60 * 1_000;

interface Case {
  readonly program: Program;
  /** It fails, and what its steps did is rolled back. */
  readonly fails: boolean;
  readonly terms: Terms;
  /** Sent one after the other. Each touches the object and heals it; without them only the alarm keeps it going. */
  readonly signals: readonly ("a" | "b" | "answer")[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: programs,
  fails: fc.boolean(),
  terms,
  signals: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Case["signals"]>([]) },
    { weight: 3, arbitrary: fc.constant<Case["signals"]>(["a", "answer", "b", "answer", "a"]) },
  ),
});

interface Run {
  readonly host: MemoryHost;
  readonly object: MemoryObject;
  readonly world: World;
  readonly workflow: AnyWorkflow;
  /** Callbacks of which somebody was told that the answer is kept. */
  readonly accepted: Set<string>;
  /** What must never happen and did. */
  readonly violations: string[];
}

/** Prepares an execution whose object dies just before each of these storage operations. */
function prepare({ program, fails }: Case, deaths: readonly number[]): Run {
  const violations: string[] = [];
  const world: World = {
    hits: new Map(),
    urls: new Set(),
    delay: (ms) => host.delay(ms),
    namesPlaces: true,
    fails,
    called: (step, what) => {
      const { operations, rollbacks } = storedState(object);
      const among = what === "step" ? operations : [...rollbacks.values()];
      const recorded = among.find(({ name }) => name === step);
      if (recorded?.phase === "completed") violations.push(`${what} ${step} ran again after its outcome was journaled`);
    },
  };
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
    (context) => runProgram(program, context, world),
  );
  const host = new MemoryHost({ workflows: [workflow], fetch: serviceOf(world) });
  const object = host.object(workflow, "x");
  host.faults.beforeWrite = (operation) => {
    if (deaths.includes(operation)) object.kill();
  };
  return { host, object, world, workflow, accepted: new Set(), violations };
}

async function execute(given: Case, deaths: readonly number[]): Promise<Run> {
  const run = prepare(given, deaths);
  const { host, object, workflow } = run;
  const input = encodeValue(undefined, 1_000);
  const start = { workflow: workflow.name, id: "x", ...startOptions(given.terms, host.now()) };
  await insist(host, [object], () =>
    object.service.start({ ...start, input, inputHash: hashText("input"), waitMs: 0 }),
  );
  for (const [index, name] of given.signals.entries()) {
    await host.advance(1_300);
    if (name === "answer") await insistOnAnswer(run, `k${index}`);
    else await insist(host, [object], signal(run, name, `k${index}`));
  }
  // From here on nobody asks anything: only the alarm can keep it going.
  await host.advance(HORIZON_MS);
  await host.settle();
  return run;
}

function signal({ object }: Run, name: "a" | "b", key: string): () => Promise<void> {
  return async () => {
    const answer = await object.service.signal({ name, value: encodeValue(5, 100), key, waitMs: 0 });
    if (answer.kind === "absent") throw new Error("The execution was lost.");
  };
}

/** Answers the last callback that the code has seen. What was answered stays so, whoever dies afterwards. */
async function insistOnAnswer(run: Run, key: string): Promise<void> {
  const { object, world, accepted, violations } = run;
  const url = [...world.urls].at(-1);
  if (url === undefined) return;
  const request = answerTo(url, 5, key);
  let verdict = "";
  await insist(run.host, [object], async () => {
    verdict = verdictOf(await object.service.answerCallback(request));
    if (verdict === "absent") throw new Error("The execution was lost.");
  });
  const isKept = verdict === "duplicate" || verdict === "CALLBACK_USED";
  if (accepted.has(request.callback) && !isKept)
    violations.push(`${request.callback} was answered, and then ${verdict}`);
  if (verdict === "answered" || verdict === "duplicate") accepted.add(request.callback);
}

/** The invariants of an execution that was left alone after its deaths. */
function check({ object, world, accepted, violations }: Run, deaths: number): void {
  expect(violations).toEqual([]);
  const state = storedState(object);
  expect(state.end?.type).toBe(world.fails === true ? "failed" : "completed");
  checkRollbacks(state, world, deaths);
  expect(isAtRest(object)).toBe(true);
  expect(object.alarm).toBe(wantedAlarm(object));
  for (const operation of state.operations) {
    if (operation.kind !== "step") continue;
    const hits = world.hits.get(operation.name) ?? 0;
    // A start that was written in the turn that died was never counted.
    expect([operation.name, hits <= operation.attempts + deaths]).toEqual([operation.name, true]);
    expect(operation.attempts - operation.uncharged).toBeLessThanOrEqual(operation.policy.maximumAttempts ?? 0);
  }
  for (const callback of accepted) expect(state.callbacks.get(callback)?.answer).toBeDefined();
  const keys = [...state.signalKeys].toSorted();
  expect(["k0", "k2", "k4"]).toEqual(expect.arrayContaining(keys));
}

/** Each completed step that has a rollback has one outcome of it, whatever died in between. */
function checkRollbacks(state: State, world: World, deaths: number): void {
  const due = world.fails === true ? stepsToRollBack(state).map(({ op }) => op) : [];
  expect([...state.rollbacks.keys()]).toEqual(due);
  for (const { name, phase, attempts, policy } of state.rollbacks.values()) {
    expect(["completed", "exhausted"]).toContain(phase);
    const hits = world.hits.get(`undo ${name}`) ?? 0;
    expect([name, hits >= 1 && hits <= attempts + deaths]).toEqual([name, true]);
    expect(attempts).toBeLessThanOrEqual(policy.maximumAttempts ?? 0);
  }
}

describe("deaths of the object", { timeout: SEARCH_MS }, () => {
  const runs = LONG ? 2_000 : 60;
  it(`case 201: leave ${runs} random programs whole, whichever storage operation they come before`, async () => {
    let explored = 0;
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const undisturbed = await execute(given, []);
        check(undisturbed, 0);
        answered += undisturbed.accepted.size;
        for (let death = 1; death <= undisturbed.object.operations; death += 1) {
          check(await execute(given, [death]), 1);
          explored += 1;
        }
      }),
      { numRuns: runs },
    );
    expect(explored).toBeGreaterThan(runs);
    expect(answered).toBeGreaterThan(runs / 100);
  });

  it("leave random programs whole when several come one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 6 }),
        async (given, deaths) => {
          check(await execute(given, deaths), deaths.length);
        },
      ),
      { numRuns: runs * 10 },
    );
  });
});
