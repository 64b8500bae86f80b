import type { Command, ExecutionView } from "../../src/execution/wire.ts";
import { encodeValue } from "../../src/journal/value.ts";
import { LIMITS } from "../../src/limits.ts";
import { allFacts } from "./all-facts.ts";
import { answerTo, verdictOf } from "./answering.ts";
import { outcomeOf, type ForkOptions, type NumberedFact, type Outcome, type Probe } from "./host.ts";
import type { LiveObject } from "./live-object.ts";
import type { ObjectHost } from "./object-host.ts";

/** One execution in a Durable Object. */
export class ObjectProbe implements Probe {
  readonly id: string;
  readonly object: LiveObject;
  readonly #host: ObjectHost;

  constructor(id: string, object: LiveObject, host: ObjectHost) {
    this.id = id;
    this.object = object;
    this.#host = host;
  }

  async view(): Promise<ExecutionView> {
    await this.object.inside((execution) => execution.view());
    await this.#host.settle();
    const found = await this.object.inside((execution) => execution.view());
    if (found.kind === "absent") throw new Error(`There is no execution ${this.id}.`);
    return found.view;
  }

  async outcome(): Promise<Outcome | undefined> {
    return outcomeOf((await this.view()).outcome);
  }

  async facts(): Promise<readonly NumberedFact[]> {
    await this.#host.settle();
    return await allFacts((request) => this.object.inside((execution) => execution.journal(request)));
  }

  async signal(name: string, value: unknown, key?: string): Promise<string> {
    const text = encodeValue(value, LIMITS.valueBytes);
    const request = { name, value: text, waitMs: 0, ...(key !== undefined && { key }) };
    const answer = await this.object.inside((execution) => execution.signal(request));
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async answer(url: string, value: unknown, key?: string): Promise<string> {
    const answer = await this.object.inside((execution) => execution.answerCallback(answerTo(url, value, key)));
    await this.#host.settle();
    return verdictOf(answer);
  }

  async command(command: Command, reason?: string): Promise<string> {
    const request = { command, ...(reason !== undefined && { reason }) };
    const answer = await this.object.inside((execution) => execution.command(request));
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async purge(): Promise<string> {
    const answer = await this.object.inside((execution) => execution.purge());
    await this.#host.settle();
    return answer.kind === "refused" ? answer.code : answer.kind;
  }

  async fork(options?: ForkOptions): Promise<ObjectProbe | string> {
    return await this.#host.fork(this, options);
  }

  async evict(): Promise<void> {
    await this.object.evict();
  }

  async alarm(): Promise<number | undefined> {
    return await this.object.alarm();
  }

  async spoilAlarm(at: number | undefined): Promise<void> {
    await this.object.spoilAlarm(at);
  }

  async ring(): Promise<void> {
    await this.object.ring();
    await this.#host.settle();
  }
}
