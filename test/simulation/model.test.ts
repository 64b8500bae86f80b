import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/execution/workflow.ts";
import { LOCAL_ORIGIN } from "../support/answering.ts";
import { started } from "../support/journal-entries.ts";
import { MemoryHost } from "../support/memory-host.ts";
import { modelContext, type ModelCallback, type Operation } from "./model-context.ts";
import { Model } from "./model.ts";
import { programs, type Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { sendings, type Sent } from "./sent.ts";
import { startOptions, terms, type Terms } from "./start-terms.ts";
import { serviceOf, type World } from "./world.ts";

const RUNS = process.env["STEPWELL_LONG"] === "1" ? 100_000 : 1_000;
/** A search is done when it is done; this only ends one that hangs. */
const SEARCH_MS = 60 * 60 * 1_000;
const HORIZON_MS = 200_000;

interface Case {
  readonly program: Program;
  readonly terms: Terms;
  readonly fails: boolean;
  readonly sent: readonly Sent[];
}

const cases: fc.Arbitrary<Case> = fc.record({ program: programs, terms, fails: fc.boolean(), sent: sendings });

/** What an author can see of an execution. */
interface Seen {
  readonly outcome: unknown;
  readonly endedAt: number | undefined;
  /** Every call of a step, of a rollback and of the service, in their order, with their times. */
  readonly calls: readonly string[];
}

interface Receiver {
  readonly cancel: () => Promise<unknown>;
  readonly answer: (url: string, value: unknown) => Promise<unknown>;
  readonly signal: (name: string) => Promise<unknown>;
}

async function send({ at, name }: Sent, { urls }: World, receiver: Receiver): Promise<unknown> {
  const url = [...urls].at(-1);
  switch (name) {
    case "cancel":
      return await receiver.cancel();
    case "answer":
    case "wrong answer":
      return url === undefined ? undefined : await receiver.answer(url, name === "answer" ? at : "no number");
    default:
      return await receiver.signal(name);
  }
}

async function onEngine(given: Case, endTurn?: () => Promise<void>): Promise<Seen> {
  const calls: string[] = [];
  const world: World = {
    hits: new Map(),
    urls: new Set(),
    fails: given.fails,
    delay: (ms) => host.delay(ms),
    called: (step, what) => calls.push(`${host.now()} ${what} ${step}`),
  };
  const workflow = defineWorkflow(
    { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
    (context) => runProgram(given.program, context, world),
  );
  const host = new MemoryHost({ workflows: [workflow], fetch: serviceOf(world), ...(endTurn && { endTurn }) });
  const probe = await host.start(workflow, { id: "x", ...startOptions(given.terms, host.now()) });
  for (const { at, name } of given.sent) {
    await host.advance(at - host.now());
    await send({ at, name }, world, {
      cancel: () => probe.command("cancel"),
      answer: (url, value) => probe.answer(url, value),
      signal: (signal) => probe.signal(signal, at),
    });
  }
  await host.advance(HORIZON_MS);
  const { endedAt } = await probe.view();
  return { outcome: await probe.outcome(), endedAt, calls };
}

async function onModel(given: Case): Promise<Seen & { readonly isAmbiguous: boolean }> {
  const calls: string[] = [];
  const waits = new Map<Promise<unknown>, Operation>();
  const world: World = {
    hits: new Map(),
    urls: new Set(),
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
    started: started({ workflow: "program", id: "x", seed: "program/x/0", origin: LOCAL_ORIGIN, at: 0 }),
    callbacks: new Map<string, ModelCallback>(),
    waits: (wait: Operation) => void waits.set(wait.promise, wait),
  };
  const { startAt, deadlineMs } = startOptions(given.terms, 0);
  const model = new Model(
    (self) => runProgram(given.program, modelContext(self, contextWorld), world),
    startAt,
    deadlineMs === undefined ? undefined : startAt + deadlineMs,
  );
  for (const { at, name } of given.sent) {
    await model.advanceTo(at);
    await send({ at, name }, world, {
      cancel: () => model.cancel(),
      answer: async (url, value) => {
        const callback = contextWorld.callbacks.get(url);
        if (callback !== undefined) await model.answer(callback, value);
      },
      signal: (signal) => model.signal(signal, at),
    });
  }
  await model.advanceTo(HORIZON_MS);
  const { ended, isAmbiguous } = model;
  return { outcome: ended?.outcome, endedAt: ended?.at, calls, isAmbiguous };
}

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
      expect(compared).toBeGreaterThan(RUNS * 0.8);
    },
    SEARCH_MS,
  );

  it(
    "differs from the model for some of them when it delivers after a fixed number of microtasks",
    async () => {
      const hop = async () => {
        for (let i = 0; i < 3; i += 1) await Promise.resolve();
      };
      const property = fc.asyncProperty(cases, async (given) => {
        const { isAmbiguous, ...expected } = await onModel(given);
        fc.pre(!isAmbiguous);
        expect(await onEngine(given, hop)).toEqual(expected);
      });
      expect((await fc.check(property, { numRuns: RUNS, endOnFailure: true })).failed).toBe(true);
    },
    SEARCH_MS,
  );
});
