import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forkExecution } from "../../src/execution/fork-execution.ts";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LIMITS } from "../../src/limits.ts";
import { askOnce, insist } from "../support/insist.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { programs, type Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { servicesOf, type World } from "./world.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const HORIZON_MS = 400_000;

interface Case {
  readonly program: Program;
  readonly fails: boolean;
  /** How long the original has run when it is forked. */
  readonly forkedAfterMs: number;
  /** A value that is no part of its entry. */
  readonly isLarge: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: programs,
  fails: fc.boolean(),
  forkedAfterMs: fc.constantFrom(0, 1, 700, 3_000, HORIZON_MS),
  isLarge: fc.boolean(),
});

/** Which of the two dies, and before which of its storage operations, counted from the request. */
interface Death {
  readonly of: "original" | "fork";
  readonly before: number;
}

interface Attempted {
  readonly original: MemoryObject;
  readonly fork: MemoryObject;
  readonly isAnswered: boolean;
  /** Inside of a callback no execution is forked. */
  readonly isRefused: boolean;
  readonly violations: readonly string[];
  /** Operations of each since the request. */
  readonly operations: Readonly<Record<Death["of"], number>>;
}

/** Forks an execution while one of the two objects dies, and leaves both alone afterwards. */
async function attempt(given: Case, death: Death | undefined, how: "once" | "insisting"): Promise<Attempted> {
  const worlds = new Map<string, World>();
  const violations: string[] = [];
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
    async (context) => {
      const world = worlds.get(context.execution.id);
      if (world === undefined) throw new Error("There is no such world.");
      if (given.isLarge) await context.step.run("large", () => "x".repeat(2 * LIMITS.inlineValueBytes));
      return await runProgram(given.program, context, world);
    },
  );
  const host = new MemoryHost({ workflows: [workflow], fetch: servicesOf(worlds) });
  const original = host.object(workflow, "original");
  const fork = host.object(workflow, "fork");
  for (const [id, object] of [
    ["original", original],
    ["fork", fork],
  ] as const) {
    const called = (step: string) => {
      const known = storedState(object).operations.find(({ name }) => name === step);
      if (known === undefined) violations.push(`${step} of ${id} ran before it was journaled`);
    };
    worlds.set(id, { ...worldOf(id, host, given.fails), called });
  }
  await host.start(workflow, { id: "original" });
  await host.advance(given.forkedAfterMs);
  const began = { original: original.operations, fork: 0 };
  host.faults.beforeWrite = (operation, _, object) => {
    const dying = death === undefined ? undefined : { original, fork }[death.of];
    if (object === dying && operation === began[death?.of ?? "fork"] + (death?.before ?? 0)) object.kill();
  };
  const forking = { workflow: "program", of: "original", id: "fork" };
  let isRefused = false;
  const request = async () => {
    const answer = await forkExecution(original.service, { fork: (...args) => fork.service.fork(...args) }, forking);
    if (answer.kind === "refused" && answer.code === "FORK_INSIDE_CALLBACK") isRefused = true;
    else if (answer.kind !== "forked") violations.push(`the answer is ${answer.kind}`);
  };
  const objects = [original, fork];
  let isAnswered = true;
  if (how === "once") isAnswered = await askOnce(host, objects, request);
  else await insist(host, objects, request);
  await host.advance(HORIZON_MS);
  await host.settle();
  const operations = { original: original.operations - began.original, fork: fork.operations };
  return { original, fork, isAnswered, isRefused, violations, operations };
}

function worldOf(service: string, host: MemoryHost, fails: boolean): World {
  return { hits: new Map(), urls: new Set(), delay: (ms) => host.delay(ms), namesPlaces: true, fails, service };
}

function checkEnded(object: MemoryObject, { fails }: Case): void {
  expect(storedState(object).end?.type).toBe(fails ? "failed" : "completed");
  expect(isAtRest(object)).toBe(true);
  expect(object.alarm).toBe(wantedAlarm(object));
}

/** Each death that one of the two can die. */
function* deathsOf({ operations }: Attempted): Iterable<Death> {
  for (const of of ["fork", "original"] as const) {
    for (let before = 1; before <= operations[of]; before += 1) yield { of, before };
  }
}

const RUNS = LONG ? 500 : 8;

describe("a fork whose objects die", () => {
  it(`is made by whoever asks again, whichever storage operation of ${RUNS} random programs they die before`, async () => {
    let explored = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const undisturbed = await attempt(given, undefined, "insisting");
        fc.pre(!undisturbed.isRefused);
        for (const death of deathsOf(undisturbed)) {
          const { original, fork, violations } = await attempt(given, death, "insisting");
          expect(violations).toEqual([]);
          checkEnded(original, given);
          checkEnded(fork, given);
          const marks = fork.rows.filter(({ entries }) => entries.includes('"type":"forked-from"'));
          expect(marks).toHaveLength(1);
          explored += 1;
        }
      }),
      { numRuns: RUNS },
    );
    expect(explored).toBeGreaterThan(RUNS);
  });

  it("is whole or leaves nothing at all, where nobody asks again", async () => {
    let left = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const undisturbed = await attempt(given, undefined, "once");
        fc.pre(!undisturbed.isRefused);
        for (const death of deathsOf(undisturbed)) {
          const { original, fork, isAnswered, violations } = await attempt(given, death, "once");
          expect(violations).toEqual([]);
          checkEnded(original, given);
          if (fork.isEmpty) left += 1;
          else checkEnded(fork, given);
          expect(isAnswered && fork.isEmpty).toBe(false);
        }
      }),
      { numRuns: RUNS },
    );
    expect(left).toBeGreaterThan(RUNS);
  });
});
