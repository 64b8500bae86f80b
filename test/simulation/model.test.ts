import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { MemoryHost } from "../support/memory-host.ts";
import { modelContext, type Operation } from "./model-context.ts";
import { Model } from "./model.ts";
import { programs, runProgram, type Program } from "./programs.ts";
import { startOptions, terms, type Terms } from "./start-terms.ts";
import { serviceOf, type World } from "./world.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const RUNS = Number(process.env.R ?? 2000);
const SEARCH_MS = 60 * 60 * 1_000;
const HORIZON_MS = 200_000;

/** A signal or a cancellation, in milliseconds from the start. */
interface Sent {
  readonly at: number;
  readonly name: "a" | "b" | "cancel";
}

interface Case {
  readonly program: Program;
  readonly terms: Terms;
  readonly fails: boolean;
  readonly sent: readonly Sent[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: programs,
  terms,
  fails: fc.boolean(),
  sent: fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: 12_000 }),
        name: fc.constantFrom("a" as const, "a" as const, "b" as const, "b" as const, "cancel" as const),
      }),
      { maxLength: 4 },
    )
    .map((sent) => sent.toSorted((a, b) => a.at - b.at)),
});

/** What an author can see of an execution. */
interface Seen {
  readonly outcome: unknown;
  readonly endedAt: number | undefined;
  /** Every call of a step, of a rollback and of the service, in their order, with their times. */
  readonly calls: readonly string[];
}

type SeenBy = (given: Case) => Promise<Seen>;

const onEngine: SeenBy = async (given) => {
  const calls: string[] = [];
  const world: World = {
    hits: new Map(),
    fails: given.fails,
    delay: (ms) => host.delay(ms),
    called: (step, what) => calls.push(`${host.now()} ${what} ${step}`),
  };
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
    (context) => runProgram(given.program, context, world),
  );
  const host = new MemoryHost({ workflows: [workflow], fetch: serviceOf(world) });
  const probe = await host.start(workflow, { id: "x", ...startOptions(given.terms, host.now()) });
  for (const { at, name } of given.sent) {
    await host.advance(at - host.now());
    await (name === "cancel" ? probe.command("cancel") : probe.signal(name, at));
  }
  await host.advance(HORIZON_MS);
  const { endedAt } = await probe.view();
  return { outcome: await probe.outcome(), endedAt, calls };
};

const onModel = async (given: Case): Promise<Seen & { readonly isAmbiguous: boolean }> => {
  const calls: string[] = [];
  const waits = new Map<Promise<unknown>, Operation>();
  const world: World = {
    hits: new Map(),
    fails: given.fails,
    delay: (ms) => model.clock.delay(ms),
    called: (step, what) => calls.push(`${model.clock.now()} ${what} ${step}`),
    listens(wait, listener) {
      const operation = waits.get(wait);
      if (operation !== undefined) operation.listener = listener;
    },
  };
  const contextWorld = {
    fetch: serviceOf(world),
    seed: "program/x/0",
    waits: (wait: Operation) => void waits.set(wait.promise, wait),
  };
  const { startAt, deadlineMs } = startOptions(given.terms, 0);
  const model = new Model(
    async (self) => await runProgram(given.program, modelContext(self, contextWorld), world),
    startAt,
    deadlineMs === undefined ? undefined : startAt + deadlineMs,
  );
  for (const { at, name } of given.sent) {
    await model.advanceTo(at);
    await (name === "cancel" ? model.cancel() : model.signal(name, at));
  }
  await model.advanceTo(HORIZON_MS);
  const { ended, isAmbiguous } = model;
  return { outcome: ended?.outcome, endedAt: ended?.at, calls, isAmbiguous };
};

describe("the engine", () => {
  it(
    `gives ${RUNS} random programs what the model gives them: outcomes, errors, order, calls and times`,
    async () => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(cases, async (given) => {
          const { isAmbiguous, ...expected } = await onModel(given);
          if (isAmbiguous) return;
          compared += 1;
          expect(await onEngine(given)).toEqual(expected);
        }),
        { numRuns: RUNS },
      );
      expect(compared).toBeGreaterThan(RUNS / 2);
    },
    SEARCH_MS,
  );
});
