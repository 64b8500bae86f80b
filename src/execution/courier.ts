import { deliveriesAcknowledged, deliveryAnswered, deliveryFailed, type Answer } from "../journal/delivery.ts";
import type { Entry } from "../journal/entry.ts";
import { deliveryKey, sendable, type Reporting, type Undelivered } from "../journal/outbox.ts";
import type { State } from "../journal/state.ts";
import { LIMITS } from "../limits.ts";
import { deliver, type Sender } from "./deliver.ts";
import type { Ports } from "./ports.ts";

export interface CourierParts extends Omit<Sender, "executions"> {
  readonly ports: Ports;
  /** Something came back, and stands in the journal if it is new. */
  readonly heard: () => void;
}

type Result =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly thrown: unknown };

/**
 * Carries what is in the outbox of the journal to other executions. What is under way is in memory alone: it is sent
 * again by the next object if this one dies, and every message is so made that it may arrive twice. Answers are facts,
 * as the outcomes of attempts are; nobody waits for them here.
 */
export class Courier {
  readonly #parts: CourierParts;
  /** What is under way, each with the function that withdraws its deadline. */
  readonly #underWay = new Map<string, () => void>();
  /** Acknowledged, and not journaled yet. */
  readonly #held = new Map<string, Reporting>();
  /** Waits whose execution was asked by this object: the question that comes with a wait stands in no entry. */
  readonly #asked = new Set<number>();
  /** To be sent once although it is not due. */
  readonly #forced = new Set<string>();

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  get #state(): State {
    return this.#parts.journal.state;
  }

  get #now(): number {
    return this.#parts.ports.clock.now();
  }

  /** Messages under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Something is under way, or may be sent now. */
  get hasWork(): boolean {
    return this.size > 0 || this.#due().next().done !== true;
  }

  /** Sends what is due. It has to be durable by now, or will be before anything that is sent. Gives how much it was. */
  dispatch(): number {
    let sent = 0;
    for (const message of this.#due()) {
      if (this.size >= LIMITS.deliveriesInFlight) break;
      this.#send(message);
      sent += 1;
    }
    return sent;
  }

  /** Sends everything that there is once, due or not. */
  force(): void {
    for (const message of sendable(this.#state)) this.#forced.add(deliveryKey(message));
  }

  /** Memory is given up: whatever comes back is dropped. */
  stop(): void {
    for (const withdraw of this.#underWay.values()) withdraw();
    this.#underWay.clear();
    this.#held.clear();
    this.#forced.clear();
  }

  *#due(): Generator<Undelivered> {
    const { pause, unreadable, outbox } = this.#state;
    if (outbox.size === 0 || pause !== undefined || unreadable !== undefined) return;
    for (const message of sendable(this.#state)) {
      const key = deliveryKey(message);
      if (!this.#underWay.has(key) && !this.#held.has(key) && this.#isDue(message, key)) yield message;
    }
  }

  #isDue({ what, op, dueAt, failures, asks }: Undelivered, key: string): boolean {
    if (dueAt <= this.#now || this.#forced.has(key)) return true;
    return what === "watch" && failures === 0 && asks === 0 && !this.#asked.has(op);
  }

  #send(message: Undelivered): void {
    const { journal, deployment, ports } = this.#parts;
    const key = deliveryKey(message);
    if (message.what === "watch") this.#asked.add(message.op);
    this.#forced.delete(key);
    const end = (result: Result) => {
      // Only the first result counts, and none after memory was given up.
      if (this.#underWay.get(key) !== withdraw) return;
      withdraw();
      this.#underWay.delete(key);
      this.#take(key, result);
    };
    const late = () => end({ kind: "failed", thrown: new Error(`No answer came within ${LIMITS.deliveryMs} ms.`) });
    const withdraw = ports.clock.timer(this.#now + LIMITS.deliveryMs, late);
    this.#underWay.set(key, withdraw);
    deliver(message, { journal, deployment, executions: ports.executions }).then(
      (answer) => end({ kind: "answered", answer }),
      (thrown: unknown) => end({ kind: "failed", thrown }),
    );
  }

  #take(key: string, result: Result): void {
    const { journal, heard } = this.#parts;
    const message = this.#state.outbox.get(key);
    // Another way may have settled it meanwhile.
    if (message !== undefined) journal.append(...this.#factsOf(message, key, result));
    if (!this.hasWork || this.#held.size >= LIMITS.acknowledgementsHeld) this.#release();
    heard();
  }

  #factsOf(message: Undelivered, key: string, result: Result): Entry[] {
    const now = this.#now;
    if (result.kind === "failed") return deliveryFailed(this.#state, message, { thrown: result.thrown, now });
    if (message.what !== "cancel" && message.what !== "tell") {
      return deliveryAnswered(this.#state, message, { answer: result.answer, now });
    }
    this.#held.set(key, message);
    return [];
  }

  #release(): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    this.#parts.journal.append(...deliveriesAcknowledged(held, this.#now));
  }
}
