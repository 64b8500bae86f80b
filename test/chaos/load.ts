import { delay } from "../../examples/demo/processes.ts";
import type { Draw } from "../support/seeded-draw.ts";
import type { Adapter } from "./adapters.ts";
import { Client } from "./client.ts";

/** An execution of the run, and what its Worker has taken: none of it may be lost. */
export interface Loaded {
  readonly adapter: Adapter;
  readonly id: string;
  isStarted: boolean;
  /** The keys of its signals, and of the answers to its callbacks. */
  readonly keys: string[];
}

export interface LoadOptions {
  readonly adapters: readonly Adapter[];
  readonly draw: Draw;
  /** Of the Worker, without a slash at its end. */
  readonly url: string;
  readonly perSecond: number;
}

/** Nothing is killed any more, and all that has piled up is taken. */
const ANSWERED_WITHIN_MS = 300_000;
/** No more than so many at a time: else a machine that is slow today has more to do with every kill. */
const CLIENTS = 120;
/** One in so many is cancelled. */
const CANCELLED_ONE_IN = 12;
/** How long people take to answer a callback, at most. */
const ANSWERED_AFTER_MS = 6_000;
/** `…/v1/callbacks/WORKFLOW.TIME.CALLBACK.ID.SIGNATURE`, of which the id may hold dots. */
const CALLBACK_URL = /\/v1\/callbacks\/[^.]+\.[^.]+\.[^.]+\.(.+)\.[^.]+$/;

/** Clients that start executions, send them signals, answer their callbacks and cancel some of them. */
export class Load {
  readonly all: Loaded[] = [];
  readonly client = new Client();
  readonly #options: LoadOptions;
  /** Clients that have not had all of their answers. */
  waiting = 0;
  readonly #urls = new Set<string>();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Begins executions until then. */
  async run(until: number): Promise<void> {
    const { adapters, perSecond } = this.#options;
    this.client.givesUpAt = until + ANSWERED_WITHIN_MS;
    while (Date.now() < until) {
      await delay(1_000 / perSecond);
      if (this.waiting >= CLIENTS) continue;
      const n = this.all.length;
      const adapter = adapters[n % adapters.length];
      if (adapter === undefined) return;
      const loaded: Loaded = { adapter, id: `chaos-${n}`, isStarted: false, keys: [] };
      this.all.push(loaded);
      this.#add(this.#accompany(loaded, n));
    }
  }

  #add(client: Promise<void>): void {
    this.waiting += 1;
    void client.finally(() => (this.waiting -= 1));
  }

  /** Somebody has got the URL of a callback, possibly not for the first time, and answers it in a while. */
  heardOf(url: string): void {
    const id = CALLBACK_URL.exec(url)?.[1];
    const loaded = this.all.find((one) => one.id === id);
    if (loaded === undefined) this.client.faults.push(`${url} is the callback of no execution`);
    if (loaded === undefined || this.#urls.has(url)) return;
    this.#urls.add(url);
    this.#add(this.#answer(loaded, url));
  }

  /** As an operator does once the deaths have an end: the engine pauses what dies again and again. */
  resume(execution: string): void {
    const [workflow, id] = execution.split("/");
    this.#add(this.#post(`${this.#options.url}/v1/workflows/${workflow}/executions/${id}/resume`));
  }

  async #accompany(loaded: Loaded, n: number): Promise<void> {
    const { draw, url } = this.#options;
    const { adapter, id } = loaded;
    const input = adapter.input(n, draw);
    const signals = adapter.signals?.(draw) ?? [];
    const cancelAfterMs = draw(1, CANCELLED_ONE_IN) === 1 ? draw(0, 6_000) : undefined;
    const executions = `${url}/v1/workflows/${adapter.workflow}/executions`;
    loaded.isStarted = (await this.client.insist(executions, { id, input })) === "taken";
    const sent = signals.map(async ({ afterMs, name, value }) => {
      await delay(afterMs);
      await this.#send(loaded, { url: `${executions}/${id}/signals/${name}`, value, key: `${id}-${name}` });
    });
    if (cancelAfterMs !== undefined) sent.push(this.#post(`${executions}/${id}/cancel`, cancelAfterMs));
    await Promise.all(sent);
  }

  async #post(url: string, afterMs = 0): Promise<void> {
    await delay(afterMs);
    await this.client.insist(url, {});
  }

  async #answer(loaded: Loaded, url: string): Promise<void> {
    const { draw } = this.#options;
    const { adapter, id } = loaded;
    await delay(draw(0, ANSWERED_AFTER_MS));
    await this.#send(loaded, { url, value: adapter.answer?.(draw), key: `${id}-answer` });
  }

  async #send(
    loaded: Loaded,
    { url, value, key }: { readonly url: string; readonly value: unknown; readonly key: string },
  ): Promise<void> {
    if ((await this.client.insist(url, value, key)) === "taken") loaded.keys.push(key);
  }
}
