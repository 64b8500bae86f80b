import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Asked } from "../journal/entry.ts";
import type { Listener } from "../journal/settle.ts";
import type { Settlement, State } from "../journal/state.ts";
import { nameOccurrence } from "../steps/names.ts";
import type { RollbackFunction, StepFunction } from "./attempts.ts";
import { checkOutsideStep, checkWorkflowAsks, isInAttempt, type Activity } from "./caller.ts";
import type { Journal } from "./journal.ts";
import { handOver, OperationPromise, silentRejection, type Operation } from "./operation-promise.ts";
import { checkLimits, endedError } from "./refusals.ts";
import { isRecorded, type Request } from "./request.ts";
import { settleOperation, type ReadValue } from "./settle-operation.ts";

/** How the workflow's function ended. */
export type RunResult =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly thrown: unknown };

/** The code asked for something else than the journal holds at that position. */
export interface Mismatch {
  readonly position: number;
  readonly recorded: string;
  readonly asked: string;
}

export interface RunHost {
  readonly journal: Journal;
  readonly activity: () => Activity;
  readonly now: () => number;
  readonly inFlight: (op: number) => boolean;
  /** Something was asked for or has ended outside a delivery turn, or a signal wait got a listener. */
  readonly kick: () => void;
  readonly warn: (code: string, message: string) => void;
}

/** What the code gave a callback: a schema, or none. */
export interface GivenSchema {
  readonly schema: StandardSchemaV1 | undefined;
}

interface Waiting {
  readonly operation: Operation;
  /** The turn in which it was asked for. */
  readonly turn: number;
  readonly read: ReadValue | undefined;
}

/**
 * One call of a workflow's function: what it asked for, in order, and what it was told, in the order of the journal.
 * A run that is over is never told anything again, and what its code still asks for stays without an answer.
 */
export class Run {
  readonly #host: RunHost;
  readonly #waiting = new Map<number, Waiting>();
  readonly #functions = new Map<number, StepFunction>();
  readonly #rollbacks = new Map<number, RollbackFunction>();
  readonly #schemas = new Map<number, GivenSchema>();
  readonly #occurrences = new Map<string, number>();
  readonly #recordedOperations: number;
  readonly #recordedSettlements: number;
  /** Steps, later a rollback, with an attempt that is journaled as started and has not been called. */
  #uncalled: number[] = [];
  #asked = 0;
  #delivered = 0;
  #over = false;
  #warned = false;
  #seenAt: number;
  #draws = 0;
  result: RunResult | undefined;
  mismatch: Mismatch | undefined;
  /** It has come to the journaled end of its execution: what is left are the rollbacks. */
  hasReachedEnd = false;

  constructor(host: RunHost) {
    this.#host = host;
    const { operations, settlements, started } = this.state;
    this.#recordedOperations = operations.length;
    this.#recordedSettlements = settlements.length;
    this.#seenAt = started?.startAt ?? started?.at ?? 0;
  }

  /** Public, as are those of `Execution`: engines call private getters a hundred times as slowly. */
  get state(): State {
    return this.#host.journal.state;
  }

  /** Calls the workflow's function. */
  begin(call: () => Promise<unknown>): void {
    const ended = (result: RunResult) => {
      if (this.#over) return;
      this.result ??= result;
      this.#host.kick();
    };
    const promise = (async () => await call())();
    promise.then(
      (value) => ended({ kind: "returned", value }),
      (thrown: unknown) => ended({ kind: "threw", thrown }),
    );
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** The code has asked for every operation that the journal holds. */
  get hasAskedAll(): boolean {
    return this.#asked >= this.state.operations.length;
  }

  /** From now on this run neither asks nor hears anything. */
  stop(): void {
    this.#over = true;
  }

  /** Its function ended as the journal says. It gives the functions of the rollbacks. */
  reachEnd(): void {
    this.hasReachedEnd = true;
    this.stop();
  }

  /**
   * An operation of the workflow: a recorded one, or a new one. A refused request is a rejected promise and takes no
   * number, so that the operations after it keep theirs.
   */
  ask(make: () => Request): Promise<unknown> {
    // A step or rollback that outlives the run is refused as before, or it would wait for ever.
    const isNested = isInAttempt(this.#host.activity());
    if (this.#over && !isNested) return new Promise(() => {});
    try {
      if (this.result !== undefined && !isNested) throw endedError();
      const request = make();
      const key = `${request.kind} ${request.name}`;
      this.#checkCaller(key);
      const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
      const asked = { op: this.#asked, kind: request.kind, name: nameOccurrence(request.name, occurrence) };
      const recorded = this.state.operations[asked.op];
      const isNew = recorded === undefined && this.state.ending === undefined;
      if (isNew) this.#record(request, asked);
      else if (!isRecorded(recorded, asked, request)) return this.#miss(asked.op, `${asked.kind} ${asked.name}`);
      this.#occurrences.set(key, occurrence);
      this.#asked += 1;
      if (request.fn !== undefined) this.#adopt(asked.op, request.fn);
      if (request.kind === "callback") this.#schemas.set(asked.op, { schema: request.schema });
      if (request.rollback !== undefined) this.#rollbacks.set(asked.op, request.rollback);
      if (this.#host.activity() !== "delivery") this.#host.kick();
      return this.#await(asked.op, request);
    } catch (error) {
      return silentRejection(error);
    }
  }

  #checkCaller(operation: string): void {
    if (!checkWorkflowAsks(operation, this.#host.activity()) || this.#warned) return;
    this.#warned = true;
    this.#host.warn(
      "FOREIGN_AWAIT",
      `${operation} was asked for after the workflow awaited something that is no operation. ` +
        "A replay may see that at another time: put it into a step.",
    );
  }

  #record(request: Request, asked: Asked): void {
    const { journal } = this.#host;
    checkLimits(asked.op, journal);
    journal.append(request.entry(asked, this.#host.now()));
  }

  /** Keeps the function of a step for its attempts; one that this object has in flight is adopted as it is. */
  #adopt(op: number, fn: StepFunction): void {
    const step = this.state.open.get(op);
    if (step?.kind !== "step") return;
    this.#functions.set(op, fn);
    if (step.phase === "running" && !this.#host.inFlight(op)) this.#uncalled.push(op);
  }

  #await(op: number, { kind, read }: Request): Promise<unknown> {
    const operation = OperationPromise.operation();
    if (kind === "signal") operation.promise.onListen = () => this.#heard();
    this.#waiting.set(op, { operation, turn: this.#delivered, read });
    return operation.promise;
  }

  #heard(): void {
    if (!this.#over && this.state.unreadSignals > 0 && this.#host.activity() !== "delivery") this.#host.kick();
  }

  #miss(position: number, asked: string): Promise<never> {
    const recorded = this.state.operations[position];
    this.mismatch ??= {
      position,
      recorded: recorded === undefined ? "nothing" : `${recorded.kind} ${recorded.name}`,
      asked,
    };
    this.#over = true;
    this.#host.kick();
    return new Promise(() => {});
  }

  /** After the function ended: everything recorded must have been asked for. */
  checkComplete(): void {
    if (!this.hasAskedAll && this.result !== undefined) {
      void this.#miss(this.#asked, this.result.kind === "returned" ? "return" : "throw");
    }
  }

  /** The next settlement that can be delivered: in journal order, and its operation has been asked for. */
  get deliverable(): Settlement | undefined {
    const next = this.state.settlements[this.#delivered];
    return next !== undefined && this.#waiting.has(next.op) ? next : undefined;
  }

  /** True when the code has been told everything that the journal holds. */
  get caughtUp(): boolean {
    return this.#delivered === this.state.settlements.length;
  }

  /** True when the code waits for something that the engine knows nothing of. */
  get isElsewhere(): boolean {
    return this.result === undefined && (!this.caughtUp || !this.hasAskedAll || this.state.open.size === 0);
  }

  get replaying(): boolean {
    if (this.hasReachedEnd) return false;
    if (this.state.ending !== undefined) return true;
    return this.#asked < this.#recordedOperations || this.#delivered < this.#recordedSettlements;
  }

  /**
   * Settles the promise of one operation. What the code does about it happens before the turn ends; after that the
   * function that this gives tells whether anybody took it.
   */
  deliver(settlement: Settlement): () => boolean {
    const { op } = settlement;
    const waiting = this.#waiting.get(op);
    this.#waiting.delete(op);
    this.#functions.delete(op);
    this.#host.journal.takeSettlement(this.#delivered);
    this.#delivered += 1;
    this.#seenAt = settlement.at;
    if (waiting === undefined) return () => true;
    const { journal } = this.#host;
    const { operation, read } = waiting;
    if (settlement.kind === "signal") {
      return handOver(operation, { received: true, value: journal.decode(settlement.value) });
    }
    settleOperation({ operation, read }, settlement, journal);
    return () => true;
  }

  listenerOf(op: number): Listener {
    const waiting = this.#waiting.get(op);
    if (waiting === undefined) return { interest: "none", turn: 0 };
    return { interest: waiting.operation.promise.interest, turn: waiting.turn };
  }

  functionOf(op: number): StepFunction | undefined {
    return this.#functions.get(op);
  }

  rollbackOf(op: number): RollbackFunction | undefined {
    return this.#rollbacks.get(op);
  }

  /** What the answer to a callback has to fit; `undefined` where the code has not asked for that callback yet. */
  schemaOf(op: number): GivenSchema | undefined {
    return this.#schemas.get(op);
  }

  takeUncalled(): number[] {
    const uncalled = this.#uncalled;
    this.#uncalled = [];
    return uncalled;
  }

  /** Steps, or a rollback, that were taken and could not be called. */
  giveBack(steps: readonly { readonly op: number }[]): void {
    this.#uncalled.push(...steps.map(({ op }) => op));
  }

  get uncalled(): number {
    return this.#uncalled.length;
  }

  /** Time of what the code has just seen. */
  get seenAt(): number {
    return this.#seenAt;
  }

  now(): number {
    checkOutsideStep("now()", this.#host.activity());
    return this.#seenAt;
  }

  /** A label that no other draw of this execution has. */
  nextDraw(what: string): string {
    checkOutsideStep(`${what}()`, this.#host.activity());
    this.#draws += 1;
    return `${what} ${this.#draws}`;
  }
}
