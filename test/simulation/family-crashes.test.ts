import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { Fate } from "../../src/testing/memory-network.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { causeIsDurable } from "./cause-is-durable.ts";
import { childWorkflow } from "./child-workflow.ts";
import { families, type Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { serviceOf, type World } from "./world.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const HORIZON_MS = 600_000;

interface Case {
  readonly program: Program;
  /** It fails, and what its steps did is rolled back. */
  readonly fails: boolean;
  /** Before so many storage operations of all executions together, whichever object makes the last dies. */
  readonly deaths: readonly number[];
  /** What becomes of the first messages. */
  readonly fates: readonly Fate[];
  readonly cancelsAfterMs: number | undefined;
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: families,
  fails: fc.boolean(),
  deaths: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 }),
  fates: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Fate>("delivered") },
      { weight: 3, arbitrary: fc.constantFrom<Fate>("lost", "unanswered", "repeated") },
      { weight: 1, arbitrary: fc.constant<Fate>("late") },
    ),
    { maxLength: 40, size: "max" },
  ),
  cancelsAfterMs: fc.option(fc.integer({ min: 0, max: 8_000 }), { nil: undefined, freq: 3 }),
});

interface Run {
  readonly host: MemoryHost;
  readonly object: MemoryObject;
  readonly world: World;
  readonly violations: readonly string[];
}

async function execute({ program, fails, deaths, fates, cancelsAfterMs }: Case): Promise<Run> {
  const violations: string[] = [];
  const world: World = {
    hits: new Map(),
    urls: new Set(),
    delay: (ms) => host.delay(ms),
    namesPlaces: true,
    fails,
    called: (step, what) => {
      const recorded = phaseOf(host, step, what);
      if (recorded === "completed") violations.push(`${what} ${step} ran again after its outcome was journaled`);
    },
  };
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<unknown>(), b: staticSchema<unknown>() } },
    (context) => runProgram(program, context, world),
  );
  const host = new MemoryHost({ workflows: [workflow, childWorkflow(world)], fetch: serviceOf(world) });
  const object = host.object(workflow, "x");
  let operations = 0;
  host.faults.beforeWrite = (_, __, dying) => {
    operations += 1;
    if (deaths.includes(operations)) dying.kill();
  };
  host.network.fate = (call) => {
    if (!causeIsDurable(host, call)) violations.push(`${call.method} left ${call.from} before its cause was durable`);
    return fates[call.number - 1] ?? "delivered";
  };
  // A client repeats its requests until they are answered.
  for (let tries = 0; tries < 20 && object.rows.length === 0; tries += 1) {
    await Promise.race([host.start(workflow, { id: "x" }), object.death]);
    await host.settle();
  }
  if (cancelsAfterMs !== undefined) {
    await host.advance(cancelsAfterMs);
    for (let tries = 0; tries < 20 && storedState(object).cancelRequestedAt === undefined; tries += 1) {
      await Promise.race([host.get(workflow, "x").command("cancel"), object.death]);
      await host.settle();
      if (storedState(object).end !== undefined) break;
    }
  }
  // From here on nobody asks anything.
  await host.advance(HORIZON_MS);
  return { host, object, world, violations };
}

/** What the journals say of a step, or of its rollback, by its place. */
function phaseOf(host: MemoryHost, step: string, what: "step" | "rollback"): string | undefined {
  for (const object of host.objects.values()) {
    const { operations, rollbacks } = storedState(object);
    const among = what === "step" ? operations : [...rollbacks.values()];
    const recorded = among.find(({ name }) => name === step);
    if (recorded !== undefined) return recorded.phase;
  }
  return undefined;
}

/** Everything has ended that was started, everybody knows of it, and nothing is left to be done but the purges. */
function check({ host, object, world, violations }: Run, given: Case): void {
  expect(violations).toEqual([]);
  const end = storedState(object).end?.type;
  expect(end).toMatch(world.fails === true ? /failed|cancelled/ : /completed|cancelled/);
  const disturbances = given.deaths.length;
  for (const [name, one] of host.objects) {
    const state = storedState(one);
    expect([name, state.started !== undefined, state.pause?.code]).toEqual([name, true, undefined]);
    expect([name, state.end !== undefined, state.outbox.size]).toEqual([name, true, 0]);
    expect([name, one.alarm, isAtRest(one)]).toEqual([name, wantedAlarm(one), true]);
    for (const operation of state.operations) {
      if (operation.kind !== "step") continue;
      const hits = world.hits.get(operation.name) ?? 0;
      // A start that was written in the turn that died was never counted.
      expect([operation.name, hits <= operation.attempts + disturbances]).toEqual([operation.name, true]);
    }
  }
}

/** Each execution has one parent, and each child that was started by itself exists once. */
function checkFamily(host: MemoryHost): void {
  for (const parent of host.objects.values()) {
    for (const operation of storedState(parent).operations) {
      if (operation.kind !== "child" || operation.start === "refused") continue;
      const child = host.objects.get(`${operation.workflow}/${operation.id}`);
      expect(child).toBeDefined();
      const started = child === undefined ? undefined : storedState(child).started;
      expect(started?.parent).toMatchObject({ id: parent.name.split("/")[1] });
      expect(started?.parent?.key).toHaveLength(32);
    }
  }
}

describe("deaths of executions that talk to each other, and messages that get lost", () => {
  const runs = LONG ? 10_000 : 300;
  it(`leave ${runs} random families whole`, async () => {
    let talked = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const run = await execute(given);
        check(run, given);
        checkFamily(run.host);
        if (run.host.network.calls > 2) talked += 1;
      }),
      { numRuns: runs },
    );
    expect(talked).toBeGreaterThan(runs / 8);
  });
});
