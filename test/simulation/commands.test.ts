import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../support/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { faultsOf } from "./journal-faults.ts";
import { programs, runProgram, serviceOf, type Program, type World } from "./programs.ts";
import { startOptions, terms, type Terms } from "./start-terms.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const HORIZON_MS = 400_000;

const COMMANDS = ["pause", "resume", "cancel", "terminate"] as const;
type Command = (typeof COMMANDS)[number];
type Act = Command | "a" | "b" | "evict" | "kill";

/** Something that happens to an execution. */
interface Move {
  /** The clock goes on so far, */
  readonly ms: number;
  /** and after so many turns of the engine on the way, or at last when it is quiet, */
  readonly turns: number;
  /** this is done. */
  readonly act: Act;
}

function movesOf(acts: readonly Act[], turns: fc.Arbitrary<number>): fc.Arbitrary<readonly Move[]> {
  const act = fc.constantFrom(...acts);
  const ms = fc.constantFrom(0, 0, 1, 500, 1_000, 1_700, 4_000);
  return fc.array(fc.record({ ms, turns, act }), { minLength: 1, maxLength: 8 });
}

/** Mostly pauses and what ends them, or few programs would be left to run. */
const LIVING: readonly Act[] = ["pause", "pause", "resume", "resume", "cancel", "a", "b"];
const anywhere = movesOf([...LIVING, "terminate", "evict", "kill"], fc.integer({ min: 1, max: 9 }));
const undying = movesOf([...LIVING, "terminate"], fc.integer({ min: 1, max: 9 }));
const atRest = movesOf(LIVING, fc.constant(Number.MAX_SAFE_INTEGER));

interface Case {
  readonly program: Program;
  readonly terms: Terms;
}

const cases: fc.Arbitrary<Case> = fc.record({ program: programs, terms });

/** One execution of a program, and what must never happen and did. */
class Run {
  readonly host: MemoryHost;
  readonly object: MemoryObject;
  readonly violations: string[] = [];
  readonly hits = new Map<string, number>();
  readonly #workflow: AnyWorkflow;
  readonly #given: Case;
  #inFlight = 0;
  #deaths = 0;
  #signals = 0;
  #next: { turns: number; readonly act: Act } | undefined;
  readonly #answered: (() => boolean)[] = [];

  constructor(given: Case) {
    this.#given = given;
    const world: World = {
      hits: this.hits,
      delay: (ms) => this.#work(ms),
      namesPlaces: true,
      called: (step) => this.#checkCall(step),
    };
    this.#workflow = defineWorkflow(
      { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
      (context) => runProgram(given.program, context, world),
    );
    this.host = new MemoryHost({
      workflows: [this.#workflow],
      fetch: serviceOf(world),
      endTurn: () => this.#endTurn(),
    });
    this.object = this.host.object(this.#workflow, "x");
  }

  async #work(ms: number): Promise<void> {
    this.#inFlight += 1;
    await this.host.delay(ms);
    this.#inFlight -= 1;
  }

  #checkCall(step: string): void {
    const { operations, pause, end } = storedState(this.object);
    const recorded = operations.find((operation) => operation.name === step);
    if (recorded?.phase === "completed") this.violations.push(`${step} ran again after its outcome was journaled`);
    if (pause !== undefined) this.violations.push(`${step} started while the execution was paused`);
    if (end !== undefined) this.violations.push(`${step} started after the end`);
  }

  /** A request can come when all microtasks of a turn have run, before the engine goes on. */
  async #endTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#next === undefined) return;
    this.#next.turns -= 1;
    if (this.#next.turns > 0) return;
    this.#act();
    // It is an event of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #act(): void {
    const act = this.#next?.act;
    this.#next = undefined;
    if (act === undefined) return;
    if (act === "evict" || act === "kill") {
      this.#deaths += 1;
      // The answers that had not left are lost with what the turn wrote.
      if (act === "kill") this.#answered.length = 0;
      this.object[act]();
    } else {
      // A request to an object that dies gets no answer.
      (act === "a" || act === "b" ? this.#signal(act) : this.#command(act)).catch(() => {});
    }
  }

  async #signal(name: "a" | "b"): Promise<void> {
    this.#signals += 1;
    const key = `k${this.#signals}`;
    const value = encodeValue(this.#signals, 100);
    const answer = await this.object.service.signal({ name, value, key, waitMs: 0 });
    if (answer.kind === "accepted") this.#answered.push(() => storedState(this.object).signalKeys.has(key));
  }

  async #command(command: Command): Promise<void> {
    const answer = await this.object.service.command({ command });
    if (answer.kind !== "done") return;
    const isKept = () => {
      const { end, cancelRequestedAt } = storedState(this.object);
      if (command === "terminate") return end !== undefined;
      return command !== "cancel" || end !== undefined || cancelRequestedAt !== undefined;
    };
    this.#answered.push(isKept);
  }

  async start(): Promise<void> {
    const input = encodeValue(undefined, 100);
    const options = startOptions(this.#given.terms, this.host.now());
    const request = { workflow: "program", id: "x", ...options, input, inputHash: hashText("input"), waitMs: 0 };
    this.object.service.start(request).catch(() => {});
    await this.host.settle();
  }

  async move({ ms, turns, act }: Move, during: () => Promise<void> = () => this.host.advance(ms)): Promise<void> {
    this.#next = { turns, act };
    await during();
    this.#act();
    await this.host.settle();
    this.checkRest();
  }

  /** Where no step of the world runs and nobody died, the object rests: the journal and the alarm must say so. */
  checkRest(): void {
    if (this.#inFlight > 0 || this.#deaths > 0) return;
    const { alarm } = this.object;
    if (!isAtRest(this.object)) this.violations.push("a step stands as running, and none runs");
    if (alarm !== wantedAlarm(this.object)) this.violations.push(`alarm ${alarm}, not ${wantedAlarm(this.object)}`);
  }

  get isAtRest(): boolean {
    return this.#inFlight === 0 && !this.object.isRinging;
  }

  /** Somebody resumes it, and it is left alone. */
  async finish(): Promise<void> {
    if (this.object.rows.length === 0) await this.start();
    this.#next = { turns: 1, act: "resume" };
    this.#act();
    await this.host.settle();
    await this.host.advance(HORIZON_MS);
    await this.host.settle();
  }

  get facts(): readonly Entry[] {
    return this.object.rows.flatMap(({ entries }) => JSON.parse(entries) as Entry[]);
  }

  /** What an answer said is in the journal. */
  get keepsAnswers(): boolean {
    return this.#answered.every((isKept) => isKept());
  }

  get isUndisturbed(): boolean {
    return this.#deaths === 0;
  }
}

/** The invariants of an execution that is over. */
function check(run: Run): void {
  expect([...run.violations, ...faultsOf(run.facts)]).toEqual([]);
  expect(run.keepsAnswers).toBe(true);
  const state = storedState(run.object);
  expect(state.end?.type).toMatch(state.cancelBy === "deadline" ? /completed|failed|cancelled/ : /completed|cancelled/);
  expect(run.object.alarm).toBe(wantedAlarm(run.object));
  expect(isAtRest(run.object)).toBe(true);
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

/** `unawaited` steps may share a place with others. */
function isNamedOnce(operations: readonly { readonly name: string }[], name: string): boolean {
  return operations.filter((operation) => operation.name.split("#")[0] === name.split("#")[0]).length === 1;
}

async function execute(given: Case, moves: readonly Move[]): Promise<Run> {
  const run = new Run(given);
  const [first, ...others] = moves;
  if (first === undefined) await run.start();
  else await run.move(first, () => run.start());
  for (const move of others) await run.move(move);
  await run.finish();
  return run;
}

/** The same with its object lost at some of its rests. */
async function executeEvicted(given: Case, moves: readonly Move[], evictions: readonly boolean[]): Promise<Run> {
  const run = new Run(given);
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
async function advance({ host }: Run, ms: number, rested: () => void): Promise<void> {
  const until = host.now() + ms;
  while (host.now() < until) {
    const next = Math.min(until, Math.max(host.nextAt() ?? until, host.now() + 1));
    await host.advance(next - host.now());
    rested();
  }
}

const RUNS = LONG ? 20_000 : 400;

describe("commands", () => {
  it(`keep the invariants of ${RUNS} random programs, whichever turn they come in`, async () => {
    let commanded = 0;
    await fc.assert(
      fc.asyncProperty(cases, undying, async (given, moves) => {
        const run = await execute(given, moves);
        check(run);
        if (run.facts.some(({ type }) => type === "paused")) commanded += 1;
      }),
      { numRuns: RUNS },
    );
    expect(commanded).toBeGreaterThan(RUNS / 8);
  });

  it("keep them when the object is lost among them", async () => {
    await fc.assert(
      fc.asyncProperty(cases, anywhere, async (given, moves) => check(await execute(given, moves))),
      { numRuns: RUNS },
    );
  });

  it("have the same journal and calls when the object is lost at its rests as without", async () => {
    const evictions = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cases, atRest, evictions, async (given, moves, lost) => {
        const without = await executeEvicted(given, moves, [false]);
        const evicted = await executeEvicted(given, moves, lost);
        check(without);
        expect(evicted.facts).toEqual(without.facts);
        expect([...evicted.hits]).toEqual([...without.hits]);
      }),
      { numRuns: RUNS },
    );
  });
});
