import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../src/execution/workflow.ts";
import { hashText } from "../../src/journal/draw.ts";
import type { Entry } from "../../src/journal/entry.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { answerTo } from "../support/answering.ts";
import { MemoryHost } from "../support/memory-host.ts";
import type { MemoryObject } from "../../src/testing/memory-object.ts";
import { isAtRest, storedState, wantedAlarm } from "../support/stored-state.ts";
import type { Program } from "./programs.ts";
import { runProgram } from "./run-program.ts";
import { startOptions, type Terms } from "./start-terms.ts";
import { serviceOf, type World } from "./world.ts";

const HORIZON_MS = 400_000;

type Command = "pause" | "resume" | "cancel" | "terminate";
export type Act = Command | "a" | "b" | "answer" | "evict" | "kill";

/** Something that happens to an execution. */
export interface Move {
  /** The clock goes on so far, */
  readonly ms: number;
  /** and after so many turns of the engine on the way, or at last when it is quiet, */
  readonly turns: number;
  /** this is done. */
  readonly act: Act;
}

/** What is executed. */
export interface Case {
  readonly program: Program;
  /** It fails, and what its steps did is rolled back. */
  readonly fails: boolean;
  readonly terms: Terms;
}

/** One execution of a program, and what must never happen and did. */
export class CommandedRun {
  readonly host: MemoryHost;
  readonly object: MemoryObject;
  readonly violations: string[] = [];
  readonly hits = new Map<string, number>();
  readonly #urls = new Set<string>();
  readonly #workflow: AnyWorkflow;
  readonly #terms: Terms;
  #inFlight = 0;
  #deaths = 0;
  #signals = 0;
  #next: { turns: number; readonly act: Act } | undefined;
  readonly #answered: (() => boolean)[] = [];

  constructor({ program, fails, terms }: Case) {
    this.#terms = terms;
    const world: World = {
      hits: this.hits,
      urls: this.#urls,
      delay: (ms) => this.#work(ms),
      namesPlaces: true,
      fails,
      called: (step, what) => this.#checkCall(step, what),
    };
    this.#workflow = defineWorkflow(
      { name: "program", signals: { a: staticSchema<number>(), b: staticSchema<number>() } },
      (context) => runProgram(program, context, world),
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

  #checkCall(name: string, what: "step" | "rollback"): void {
    const { operations, rollbacks, pause, ending, end } = storedState(this.object);
    const among = what === "step" ? operations : [...rollbacks.values()];
    const recorded = among.find((attempted) => attempted.name === name);
    const call = `${what} ${name}`;
    if (recorded?.phase === "completed") this.violations.push(`${call} ran again after its outcome was journaled`);
    if (pause !== undefined) this.violations.push(`${call} started while the execution was paused`);
    if (end !== undefined) this.violations.push(`${call} started after the end`);
    const isEnding = ending !== undefined;
    if (isEnding !== (what === "rollback")) this.violations.push(`${call} started, ending: ${isEnding}`);
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
      this.#request(act).catch(() => {});
    }
  }

  async #request(act: Command | "a" | "b" | "answer"): Promise<void> {
    if (act === "answer") await this.#answer();
    else if (act === "a" || act === "b") await this.#signal(act);
    else await this.#command(act);
  }

  /** To the last callback that the code has seen. */
  async #answer(): Promise<void> {
    const url = [...this.#urls].at(-1);
    if (url === undefined) return;
    const request = answerTo(url, 5);
    const answer = await this.object.service.answerCallback(request);
    if (answer.kind !== "answered") return;
    this.#answered.push(() => storedState(this.object).callbacks.get(request.callback)?.answer !== undefined);
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
      const { end, ending, cancelRequestedAt } = storedState(this.object);
      if (command === "terminate") return end !== undefined;
      return command !== "cancel" || (end ?? ending ?? cancelRequestedAt) !== undefined;
    };
    this.#answered.push(isKept);
  }

  async start(): Promise<void> {
    const input = encodeValue(undefined, 100);
    const options = startOptions(this.#terms, this.host.now());
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
