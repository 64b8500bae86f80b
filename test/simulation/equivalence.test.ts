import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import type { Budget } from "../../src/journal/budget.ts";
import type { Entry } from "../../src/journal/entry.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import { isAtRest, wantedAlarm } from "../support/stored-state.ts";
import { families, type Program } from "./programs.ts";
import { childWorkflow } from "./child-workflow.ts";
import { runProgram } from "./run-program.ts";
import { sendings, type Sent } from "./sent.ts";
import { startOptions, terms, type Terms } from "./start-terms.ts";
import { serviceOf, type World } from "./world.ts";

/** So that no pause lasts for ever. */
const pauses: fc.Arbitrary<readonly Sent[]> = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 9_000 }), ms: fc.constantFrom(0, 1, 400, 2_000, 15_000) }), {
    maxLength: 2,
  })
  .map((each) =>
    each.flatMap(({ at, ms }) => [{ at, name: "pause" } as const, { at: at + ms, name: "resume" } as const]),
  );

interface Case {
  readonly program: Program;
  readonly terms: Terms;
  readonly fails: boolean;
  readonly budget: Budget;
  readonly sent: readonly Sent[];
  readonly pauses: readonly Sent[];
  /** At the n-th rest of the execution: is its object lost? Used in turn. */
  readonly evictions: readonly boolean[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: families,
  terms,
  fails: fc.boolean(),
  budget: fc.constantFrom<Budget>({}, {}, {}, {}, {}, { attempts: 3 }, { rowsWritten: 4 }, { bytes: 2_500 }),
  sent: sendings,
  pauses,
  evictions: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
});

interface Result {
  readonly outcome: unknown;
  /** Of every execution, by its name. */
  readonly facts: Readonly<Record<string, readonly Entry[]>>;
  readonly hits: readonly (readonly [string, number])[];
  readonly verdicts: readonly string[];
}

/**
 * How many rows stand for what came at one time, and so how many bytes, is a matter of what shared a commit; where others
 * answer, that depends on whether the object had to be woken. Their programs have a budget of attempts alone.
 */
function budgetOf({ program, budget: { attempts, ...written } }: Case): Budget {
  const talks = JSON.stringify(program).includes('"kind":"child"');
  return { ...(attempts !== undefined && { attempts }), ...(!talks && written) };
}

async function execute(given: Case, evictions: readonly boolean[], endTurn?: () => Promise<void>): Promise<Result> {
  const world: World = { hits: new Map(), urls: new Set(), delay: (ms) => host.delay(ms), fails: given.fails };
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
    (context) => runProgram(given.program, context, world),
  );
  const host = new MemoryHost({
    workflows: [workflow, childWorkflow({ ...world, urls: new Set() })],
    fetch: serviceOf(world),
    isOrdered: true,
    ...(endTurn && { endTurn }),
  });
  const probe = await host.start(workflow, {
    id: "x",
    budget: budgetOf(given),
    ...startOptions(given.terms, host.now()),
  });
  const verdicts: string[] = [];
  let rest = 0;
  const evictAtRest = () => {
    for (const object of host.objects.values()) {
      if (!isAtRest(object) || host.network.callsOf(object.name) > 0) continue;
      expect([object.name, object.alarm]).toEqual([object.name, wantedAlarm(object)]);
      if (evictions[rest++ % evictions.length] === true) object.evict();
    }
  };
  evictAtRest();
  for (const { at, name } of [...given.sent, ...given.pauses].toSorted((a, b) => a.at - b.at)) {
    await advanceTo(host, at, evictAtRest);
    verdicts.push(await send(probe, { name, at }, world));
    evictAtRest();
  }
  await advanceTo(host, 200_000, evictAtRest);
  return {
    outcome: await probe.outcome(),
    facts: Object.fromEntries([...host.objects].map(([name, object]) => [name, factsOf(object)])),
    verdicts,
    hits: [...world.hits].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function factsOf({ rows }: MemoryObject): readonly Entry[] {
  return rows.flatMap(({ entries }) => JSON.parse(entries) as Entry[]);
}

async function send(probe: MemoryProbe, { name, at }: Sent, { urls }: World): Promise<string> {
  switch (name) {
    case "cancel":
    case "pause":
    case "resume":
      return await probe.command(name);
    case "answer":
    case "wrong answer": {
      const url = [...urls].at(-1);
      return url === undefined ? "nobody" : await probe.answer(url, name === "answer" ? at : "no number");
    }
    default:
      return await probe.signal(name, at);
  }
}

/** In small steps, so that rests are seen. */
async function advanceTo(host: MemoryHost, at: number, rested: () => void): Promise<void> {
  while (host.now() < at) {
    const next = Math.min(at, Math.max(host.nextAt() ?? at, host.now() + 1));
    await host.advance(next - host.now());
    rested();
  }
}

/** A search is done when it is done; this only ends one that hangs. */
const SEARCH_MS = 60 * 60 * 1_000;
const RUNS = process.env["STEPWELL_LONG"] === "1" ? 100_000 : 2_000;

describe("replay", () => {
  it(
    `gives ${RUNS} random programs the same outcome, journal and hits with evictions as without`,
    async () => {
      let lost = 0;
      let rolledBack = 0;
      let talked = 0;
      let answered = 0;
      let overBudget = 0;
      let unfit = 0;
      let paused = 0;
      await fc.assert(
        fc.asyncProperty(cases, async (given) => {
          const without = await execute(given, [false]);
          const evicted = await execute(given, given.evictions);
          if (given.evictions.includes(true)) lost += 1;
          const { "program/x": own = [], ...children } = without.facts;
          if (own.some(({ type }) => type === "rollback-completed")) rolledBack += 1;
          if (own.some(({ type }) => type === "callback-taken")) answered += 1;
          if (own.some((fact) => fact.type === "paused" && fact.code === "BUDGET_EXCEEDED")) overBudget += 1;
          if (Object.keys(children).length > 0) talked += 1;
          if (without.verdicts.includes("VALIDATION_ERROR")) unfit += 1;
          if (own.some((fact) => fact.type === "paused" && fact.by === "request")) paused += 1;
          expect(evicted).toEqual(without);
        }),
        { numRuns: RUNS },
      );
      expect(overBudget).toBeGreaterThan(RUNS / 100);
      expect(paused).toBeGreaterThan(RUNS / 20);
      expect(answered).toBeGreaterThan(RUNS / 200);
      expect(unfit).toBeGreaterThan(RUNS / 400);
      expect(lost).toBeGreaterThan(RUNS / 4);
      expect(rolledBack).toBeGreaterThan(RUNS / 50);
      expect(talked).toBeGreaterThan(RUNS / 20);
    },
    SEARCH_MS,
  );

  it(
    "diverges for some of them when settlements are delivered after a fixed number of microtasks",
    async () => {
      const hop = async () => {
        for (let i = 0; i < 3; i += 1) await Promise.resolve();
      };
      const found = await fc.check(
        fc.asyncProperty(cases, async (given) => {
          const without = await execute(given, [false], hop);
          const evicted = await execute(given, [true], hop);
          expect(evicted).toEqual(without);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(found.failed).toBe(true);
    },
    SEARCH_MS,
  );
});
