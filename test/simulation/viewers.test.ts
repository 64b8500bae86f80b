import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventsAnswer } from "../../src/execution/wire.ts";
import { EventText, type SeenEvent } from "../support/event-viewer.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { cases, movesOf } from "./commanded-cases.ts";
import { CommandedRun } from "./commanded-run.ts";

const LONG = process.env["STEPWELL_LONG"] === "1";
const RUNS = LONG ? 10_000 : 300;

const moves = movesOf(
  ["pause", "resume", "resume", "cancel", "a", "b", "evict", "evict", "kill", "kill"],
  fc.integer({ min: 1, max: 9 }),
);
/** When viewers come, and after how many reads each of their first connections breaks off by itself. */
const viewers = fc.array(
  fc.record({
    after: fc.constantFrom(0, 0, 1, 3),
    patience: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The object dies so many microtasks after one of its storage operations, in whatever turn that is. */
const deaths = fc.array(fc.record({ after: fc.integer({ min: 1, max: 30 }), hops: fc.integer({ min: 0, max: 80 }) }), {
  minLength: 1,
  maxLength: 3,
});

function dieLater(run: CommandedRun, plan: readonly { readonly after: number; readonly hops: number }[]): void {
  run.host.faults.beforeWrite = (operation) => {
    for (const { after, hops } of plan) {
      if (operation !== after) continue;
      const die = async () => {
        for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
        run.object.kill();
      };
      void die();
    }
  };
}

/** Watches an execution through streams that break, and comes back with the last number that it saw. */
class Follower {
  readonly seen: SeenEvent[] = [];
  connections = 0;
  hasEnded = false;
  readonly #object: MemoryObject;
  readonly #patience: readonly number[];

  constructor(object: MemoryObject, patience: readonly number[]) {
    this.#object = object;
    this.#patience = patience;
  }

  /** Until the stream ends by itself. */
  async follow(): Promise<void> {
    while (!this.hasEnded) {
      await this.#connect();
      // Another request comes in another turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #connect(): Promise<void> {
    const form = { form: "json", journalPath: "/journal" } as const;
    const from = (this.seen.at(-1)?.id ?? -1) + 1;
    // Taken first: what dies meanwhile never answers.
    const { death } = this.#object;
    const asked = this.#object.service.events({ from, form, isOpened: true }).catch(() => undefined);
    const answer = await Promise.race([asked, death]);
    // A request that came before the start, or to an object that died.
    if (answer === undefined || answer.kind === "absent") return;
    if (answer.kind === "refused") throw new Error(answer.message);
    this.connections += 1;
    await this.#read(answer, death);
  }

  async #read(answer: EventsAnswer, death: Promise<void>): Promise<void> {
    if (answer.kind === "over") return void (this.hasEnded = true);
    if (answer.stream === undefined) throw new Error("There is no stream.");
    const reader = answer.stream.getReader();
    const text = new EventText();
    const decoder = new TextDecoder();
    const patience = this.#patience[this.connections - 1] ?? Number.POSITIVE_INFINITY;
    for (let reads = 0; reads < patience; reads += 1) {
      const chunk = await Promise.race([reader.read().catch(() => undefined), death]);
      if (chunk === undefined) return;
      if (chunk.done) return void (this.hasEnded = true);
      text.push(decoder.decode(chunk.value));
      this.seen.push(...text.events.splice(0));
    }
    await Promise.race([reader.cancel().catch(() => {}), death]);
  }
}

describe("viewers", () => {
  it(`see every entry of ${RUNS} random programs once and in order, whenever the object or the connection is lost`, async () => {
    let reconnections = 0;
    await fc.assert(
      fc.asyncProperty(cases, fc.tuple(moves, deaths), viewers, async (given, [acts, plan], coming) => {
        const run = new CommandedRun(given);
        dieLater(run, plan);
        const followers: Follower[] = [];
        const follow = (place: number) => {
          for (const { after, patience } of coming) {
            if (after === place) followers.push(new Follower(run.object, patience));
          }
        };
        const following: Promise<void>[] = [];
        await run.start();
        for (const [place, move] of acts.entries()) {
          const known = followers.length;
          follow(place);
          following.push(...followers.slice(known).map((follower) => follower.follow()));
          await run.move(move);
        }
        delete run.host.faults.beforeWrite;
        await run.finish();
        await run.host.settle();
        const facts = run.facts.map((entry, number) => ({ entry: number, type: entry.type, at: entry.at }));
        for (const { seen, connections } of followers) {
          expect(seen.map(({ id, type, data }) => ({ entry: id, type, at: data["at"] }))).toEqual(facts);
          expect(seen.map(({ data }) => data["entry"])).toEqual(facts.map(({ entry }) => entry));
          reconnections += connections - 1;
        }
        await Promise.all(following);
      }),
      { numRuns: RUNS },
    );
    expect(reconnections).toBeGreaterThan(RUNS);
  });
});
