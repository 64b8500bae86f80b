import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { isEnd } from "../../src/journal/entry.ts";
import type { NumberedFact, Outcome } from "../support/host.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import { faultsOf } from "./journal-faults.ts";
import { programs, type Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { servicesOf, type World } from "./world.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const HORIZON_MS = 200_000;
const DAY_MS = 86_400_000;

interface Case {
  readonly program: Program;
  readonly fails: boolean;
  readonly startsAfterMs: number;
  /** When a signal or a cancellation is sent to all, in milliseconds from the start. */
  readonly sent: readonly { readonly at: number; readonly name: "a" | "b" | "cancel" }[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  program: programs,
  fails: fc.boolean(),
  startsAfterMs: fc.constantFrom(0, 0, 900),
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

/** URLs of callbacks are another execution's in a fork, and programs tell what they saw. */
const withoutUrls = cases.filter(({ program }) => !JSON.stringify(program).includes('"callback"'));

/** Executions of one program, each in a world of its own, as their steps leave traces there. */
class Family {
  readonly host: MemoryHost;
  readonly worlds = new Map<string, World>();
  readonly violations: string[] = [];
  readonly members: MemoryProbe[] = [];
  readonly #given: Case;
  readonly #workflow: AnyWorkflow;

  constructor(given: Case) {
    this.#given = given;
    this.#workflow = defineWorkflow(
      { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
      (context) => runProgram(given.program, context, this.#worldOf(context.execution.id)),
    );
    this.host = new MemoryHost({ workflows: [this.#workflow], fetch: servicesOf(this.worlds) });
  }

  #worldOf(id: string): World {
    const world = this.worlds.get(id);
    if (world === undefined) throw new Error(`There is no world for ${id}.`);
    return world;
  }

  #makeWorld(id: string, hits: Iterable<readonly [string, number]>): void {
    this.worlds.set(id, {
      hits: new Map(hits),
      urls: new Set(),
      delay: (ms) => this.host.delay(ms),
      namesPlaces: true,
      fails: this.#given.fails,
      service: id,
      called: (step, what) => this.#checkCall(id, step, what),
    });
  }

  #checkCall(id: string, step: string, what: "step" | "rollback"): void {
    const { operations, rollbacks } = storedState(this.host.object(this.#workflow, id));
    const among = what === "step" ? operations : [...rollbacks.values()];
    const phase = among.find(({ name }) => name === step)?.phase;
    if (phase === "completed")
      this.violations.push(`${what} ${step} of ${id} ran again after its outcome was journaled`);
  }

  async start(): Promise<MemoryProbe> {
    this.#makeWorld("original", []);
    const startAt = this.host.now() + this.#given.startsAfterMs;
    const original = await this.host.start(this.#workflow, { id: "original", startAt });
    this.members.push(original);
    return original;
  }

  /** Its world is as the original's is now, so that a service goes on where it was. None inside of a callback. */
  async fork(original: MemoryProbe, before: number): Promise<MemoryProbe | undefined> {
    const id = `fork-${this.members.length}`;
    this.#makeWorld(id, this.#worldOf("original").hits);
    const fork = await original.fork({ id, before });
    if (fork === "FORK_INSIDE_CALLBACK") return undefined;
    if (typeof fork === "string") throw new TypeError(`The fork was refused: ${fork}.`);
    this.members.push(fork);
    return fork;
  }

  /** Sends what is to be sent, looks at every rest, and runs all members to their end. */
  async live(rested: () => Promise<void>): Promise<void> {
    await rested();
    for (const { at, name } of this.#given.sent) {
      await this.#advanceTo(at, rested);
      for (const member of this.members) await (name === "cancel" ? member.command("cancel") : member.signal(name, at));
      await rested();
    }
    await this.#advanceTo(HORIZON_MS, rested);
  }

  async #advanceTo(at: number, rested: () => Promise<void>): Promise<void> {
    while (this.host.now() < at) {
      const next = Math.min(at, Math.max(this.host.nextAt() ?? at, this.host.now() + 1));
      await this.host.advance(next - this.host.now());
      await rested();
    }
  }
}

/** What was journaled after the cut, with the numbers that it would have in the fork. */
function shifted(facts: readonly NumberedFact[], cut: number): readonly unknown[] {
  return facts.slice(cut).map((fact) => {
    const entry = fact.entry + 1;
    if (!("received" in fact)) return { ...fact, entry };
    return { ...fact, entry, received: fact.received < cut ? fact.received : fact.received + 1 };
  });
}

/** Forks the original at its n-th rest, while it has not ended; `undefined` where it has none. */
async function forkAtRest(given: Case, rest: number) {
  const family = new Family(given);
  const original = await family.start();
  let rests = 0;
  let cut = 0;
  await family.live(async () => {
    if (family.members.length > 1 || !isAtRest(original.object) || original.object.hasEnded) return;
    if (rests++ < rest) return;
    cut = (await original.facts()).length;
    await family.fork(original, cut);
  });
  const [, fork] = family.members;
  return fork === undefined ? undefined : { family, original, fork, cut };
}

const RUNS = LONG ? 20_000 : 2_000;

describe("a fork", () => {
  it(`made at any rest of ${RUNS} random programs goes on as the original does`, async () => {
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(withoutUrls, fc.integer({ min: 0, max: 3 }), async (given, rest) => {
        const made = await forkAtRest(given, rest);
        if (made === undefined) return;
        forked += 1;
        const { family, original, fork, cut } = made;
        expect(family.violations).toEqual([]);
        expect(await fork.outcome()).toEqual(await original.outcome());
        const facts = await original.facts();
        expect((await fork.facts()).slice(cut + 1)).toEqual(shifted(facts, cut));
      }),
      { numRuns: RUNS },
    );
    expect(forked).toBeGreaterThan(RUNS / 4);
  });

  it("made later, before any entry of random programs, keeps the invariants and never touches the original", async () => {
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { family, original } = await livedFamily(given);
        const facts = await original.facts();
        await forkEverywhere(family, original, facts);
        for (const fork of family.members.slice(1)) await checkFork(fork, given);
        forked += family.members.length - 1;
        expect(family.violations).toEqual([]);
        expect(await original.facts()).toEqual(facts);
      }),
      { numRuns: RUNS / 5 },
    );
    expect(forked).toBeGreaterThan(RUNS);
  });

  it("made a day later, before any entry of programs that depend on no time, ends as the original did", async () => {
    const program = timeless();
    const plain = fc.record({ program, fails: fc.boolean(), startsAfterMs: fc.constant(0), sent: fc.constant([]) });
    await fc.assert(
      fc.asyncProperty(plain, async (given) => {
        const { family, original } = await livedFamily(given);
        await forkEverywhere(family, original, await original.facts());
        const expected = valueOf(await original.outcome());
        for (const fork of family.members.slice(1)) expect(valueOf(await fork.outcome())).toEqual(expected);
      }),
      { numRuns: RUNS / 5 },
    );
  });
});

async function livedFamily(given: Case): Promise<{ readonly family: Family; readonly original: MemoryProbe }> {
  const family = new Family(given);
  const original = await family.start();
  await family.live(async () => {});
  expect(original.object.hasEnded).toBe(true);
  return { family, original };
}

/** A day after its end, so that everything is overdue; then all forks run to theirs. */
async function forkEverywhere(family: Family, original: MemoryProbe, facts: readonly NumberedFact[]): Promise<void> {
  await family.host.advance(DAY_MS);
  for (let before = 1; before < facts.length; before += 1) await family.fork(original, before);
  await family.host.advance(2 * HORIZON_MS);
}

async function checkFork(fork: MemoryProbe, { fails }: Case): Promise<void> {
  const facts = await fork.facts();
  // A copied pause or cancellation may stand before the mark, and is over with it.
  expect(faultsOf(facts)).toEqual([]);
  expect(facts.filter(isEnd)).toHaveLength(1);
  expect(facts.at(-1)?.type).toMatch(fails ? /failed|cancelled/ : /completed/);
  expect(fork.object.alarm).toBe(wantedAlarm(fork.object));
  expect(isAtRest(fork.object)).toBe(true);
}

/** Programs whose value follows from what their steps do alone. */
function timeless(): fc.Arbitrary<Program> {
  return fc.letrec<{ program: Program }>((tie) => {
    const parts = fc.array(tie("program"), { minLength: 1, maxLength: 3 });
    const step = fc.record({
      kind: fc.constant("step" as const),
      fails: fc.integer({ min: 0, max: 3 }),
      attempts: fc.integer({ min: 1, max: 3 }),
      takesMs: fc.constantFrom(0, 1, 700),
      undoFails: fc.constantFrom(0, 1),
    });
    const all = fc.record({ kind: fc.constantFrom("sequence" as const, "allSettled" as const), parts });
    return { program: fc.oneof({ maxDepth: 3, depthSize: "small" }, { weight: 2, arbitrary: step }, all) };
  }).program;
}

/** Without the order in which branches went on, which is another where everything is overdue. */
function valueOf(outcome: Outcome | undefined): unknown {
  if (outcome?.kind === "completed") return (outcome.value as { readonly value: unknown }).value;
  return outcome?.kind === "failed" ? (outcome.details as { readonly value: unknown }).value : outcome;
}
