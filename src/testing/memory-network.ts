import type { ExecutionName } from "../journal/execution-name.ts";
import type { Executions } from "../execution/ports.ts";
import type { ExecutionService } from "../execution/execution-service.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { portThrough } from "./port-through.ts";
import { endTurn } from "./turn-end.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** One call of an object by another. */
export interface Call {
  /** Counts from 1. */
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly method: keyof ExecutionPort;
}

/**
 * What becomes of a call. `lost`: it never arrives; `unanswered`: it arrives, and its answer does not; in both cases the
 * caller gets an exception. `repeated`: it arrives once more, later. `late`: it arrives when its caller has given up.
 */
export type Fate = "delivered" | "lost" | "unanswered" | "repeated" | "late";

/** One life of an object that calls others. */
export interface Caller {
  readonly name: string;
  /** It has lost its memory: what its code still does is done nowhere. */
  readonly isGone: () => boolean;
}

/** An object that is called. */
interface Callee {
  readonly name: string;
  readonly service: ExecutionService;
  /** Resolves when it next loses its memory. */
  readonly death: Promise<void>;
}

/** How long a message of one kind takes on one of its ways. */
export type LatencyMs = (method: keyof ExecutionPort, way: "there" | "back") => number;

export interface NetworkParts {
  readonly clock: VirtualClock;
  readonly objectOf: (name: ExecutionName) => Callee;
  /** Counts the turns in which something happens. */
  readonly turned: () => void;
  /** How long every way takes; without it one turn. */
  readonly latencyMs?: LatencyMs;
}

const REPEATED_AFTER_MS = 5_000;
const LATE_BY_MS = 45_000;

/**
 * Calls between objects in memory, as the platform makes them: a call leaves when all that its caller wrote before is
 * durable, and so does an answer; what one side loses with its memory, the other learns by an exception or never.
 */
export class MemoryNetwork {
  readonly #parts: NetworkParts;
  readonly #underWay = new Map<string, number>();
  /** Decides the fate of each call. */
  fate: ((call: Call) => Fate) | undefined;
  calls = 0;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** How an object reaches the others. */
  from(caller: Caller): Executions {
    return (name) => portThrough((method, ask) => this.#call(caller, { name, method }, ask));
  }

  /** Calls of this object that are under way. */
  callsOf(name: string): number {
    return this.#underWay.get(name) ?? 0;
  }

  async #call<Answer>(
    caller: Caller,
    { name, method }: { readonly name: ExecutionName; readonly method: keyof ExecutionPort },
    ask: (port: ExecutionPort) => Promise<Answer>,
  ): Promise<Answer> {
    const { isGone } = caller;
    const callee = this.#parts.objectOf(name);
    this.#count(caller.name, 1);
    const answer = await this.#carry({ caller, callee, method }, ask);
    this.#count(caller.name, -1);
    if (isGone()) await never();
    if ("thrown" in answer) throw answer.thrown;
    return answer.value;
  }

  async #carry<Answer>(
    { caller, callee, method }: Carriage,
    ask: (port: ExecutionPort) => Promise<Answer>,
  ): Promise<Result<Answer>> {
    await this.#way(method, "there");
    // It died before the call could leave.
    if (caller.isGone()) return LOST;
    this.calls += 1;
    const fate = this.fate?.({ number: this.calls, from: caller.name, to: callee.name, method }) ?? "delivered";
    if (fate === "lost") return LOST;
    if (fate === "late") await this.#parts.clock.delay(LATE_BY_MS);
    if (fate === "repeated") {
      const again = async () => {
        await this.#parts.clock.delay(REPEATED_AFTER_MS);
        await this.#answerOf(callee, ask);
      };
      void again();
    }
    const answer = await this.#answerOf(callee, ask);
    await this.#way(method, "back");
    return fate === "unanswered" ? LOST : answer;
  }

  async #answerOf<Answer>(callee: Callee, ask: (port: ExecutionPort) => Promise<Answer>): Promise<Result<Answer>> {
    const { death } = callee;
    const answered = ask(callee.service).then(
      (value): Result<Answer> => ({ value: structuredClone(value) }),
      (thrown: unknown): Result<Answer> => ({ thrown }),
    );
    const died = death.then((): Result<Answer> => LOST);
    const answer = await Promise.race([answered, died]);
    // It leaves when all that was written before it is durable.
    return await Promise.race([died, endTurn().then(() => answer)]);
  }

  async #way(method: keyof ExecutionPort, way: "there" | "back"): Promise<void> {
    this.#parts.turned();
    const ms = this.#parts.latencyMs?.(method, way);
    await (ms === undefined ? endTurn() : this.#parts.clock.delay(ms));
  }

  #count(name: string, by: number): void {
    this.#underWay.set(name, (this.#underWay.get(name) ?? 0) + by);
  }
}

interface Carriage {
  readonly caller: Caller;
  readonly callee: Callee;
  readonly method: keyof ExecutionPort;
}

type Result<Answer> = { readonly value: Answer } | { readonly thrown: unknown };

const LOST = { thrown: new Error("Network connection lost.") };

async function never(): Promise<never> {
  return await new Promise<never>(() => {});
}
