import { eventStream } from "./event-stream.ts";
import type { Execution } from "./execution.ts";
import { Feed } from "./feed.ts";
import type { Ports } from "./ports.ts";
import { touchExecution } from "./touch-execution.ts";
import type { Absent, EventsAnswer, EventsRequest, Refused } from "./wire.ts";

/** Those who watch one execution, as they come: each touches it as every request does. */
export class Viewers {
  /** What they can see. */
  readonly feed: Feed;
  readonly #ports: Ports;
  readonly #execution: () => Execution;

  /** `execution` gives it as this object has it now: another one takes its place when storage fails. */
  constructor(ports: Ports, execution: () => Execution) {
    this.#ports = ports;
    this.#execution = execution;
    this.feed = new Feed(ports, () => execution().journal);
  }

  async events({ from, form, isOpened }: EventsRequest): Promise<EventsAnswer | Absent | Refused> {
    const refusal = await this.admit(from);
    if (refusal !== undefined) return refusal;
    if (this.feed.isOver(from)) return { kind: "over" };
    if (!isOpened) return { kind: "events" };
    const { clock } = this.#ports;
    return { kind: "events", stream: eventStream({ feed: this.feed, clock, from, form }) };
  }

  /** Why nobody more can watch from the entry `from` on; `undefined` where somebody can. */
  async admit(from: number): Promise<Absent | Refused | undefined> {
    if (!(await touchExecution(this.#execution))) return { kind: "absent" };
    this.#execution().commit();
    return this.feed.refusalOf(from);
  }

  /** Finds the journal for those who are there, after the object was out of memory. */
  async load(): Promise<void> {
    if (await touchExecution(this.#execution)) this.feed.look();
  }
}
