import { delay } from "../../examples/demo/processes.ts";
import type { Draw } from "../support/seeded-draw.ts";
import type { Adapter } from "./adapters.ts";

/** An execution of the run, and what its Worker has taken. */
export interface Loaded {
  readonly adapter: Adapter;
  readonly id: string;
  /** The start was answered: it must never be lost. */
  started: boolean;
  /** The keys of signals that were accepted. */
  readonly signals: string[];
}

export interface LoadOptions {
  readonly adapters: readonly Adapter[];
  readonly draw: Draw;
  /** Of the Worker, without a slash at its end. */
  readonly url: string;
  readonly perSecond: number;
}

const TRY_AGAIN_MS = 300;
const REQUEST_MS = 10_000;
/** A Worker that is killed is back long before that. */
const GIVE_UP_MS = 180_000;
/** One in so many is cancelled. */
const CANCELLED_ONE_IN = 12;

/** Clients that start executions, send them signals and cancel some: each repeats its request until it is answered. */
export class Load {
  readonly all: Loaded[] = [];
  /** What a client was told that it should not have been. */
  readonly faults: string[] = [];
  readonly #options: LoadOptions;
  readonly #clients: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Begins executions until then. Resolves when every client has its answers. */
  async run(until: number): Promise<void> {
    const { adapters, perSecond } = this.#options;
    while (Date.now() < until) {
      const n = this.all.length;
      const adapter = adapters[n % adapters.length];
      if (adapter === undefined) return;
      const loaded: Loaded = { adapter, id: `chaos-${n}`, started: false, signals: [] };
      this.all.push(loaded);
      this.#clients.push(this.#client(loaded, n));
      await delay(1_000 / perSecond);
    }
    await Promise.all(this.#clients);
  }

  async #client(loaded: Loaded, n: number): Promise<void> {
    const { draw } = this.#options;
    const { adapter, id } = loaded;
    const input = adapter.input(n, draw);
    const signals = adapter.signals?.(draw) ?? [];
    const cancelAfterMs = draw(1, CANCELLED_ONE_IN) === 1 ? draw(0, 6_000) : undefined;
    const path = `/v1/workflows/${adapter.workflow}/executions`;
    loaded.started = (await this.#insist(path, { id, input })) === "taken";
    const sent = signals.map(async ({ afterMs, name, value }) => {
      await delay(afterMs);
      const key = `${id}-${name}`;
      if ((await this.#insist(`${path}/${id}/signals/${name}`, value, key)) === "taken") loaded.signals.push(key);
    });
    if (cancelAfterMs !== undefined) sent.push(delay(cancelAfterMs).then(() => this.#cancel(`${path}/${id}/cancel`)));
    await Promise.all(sent);
  }

  async #cancel(path: string): Promise<void> {
    await this.#insist(path, {});
  }

  /** An execution that has ended takes nothing more, and says so. */
  async #insist(path: string, body: unknown, key?: string): Promise<"taken" | "ended" | "refused"> {
    const startedAt = Date.now();
    while (Date.now() - startedAt < GIVE_UP_MS) {
      const answer = await this.#send(path, body, key);
      if (answer?.ok === true) return "taken";
      if (answer?.status === 409 && answer.text.includes("EXECUTION_ENDED")) return "ended";
      if (answer !== undefined && answer.status < 500) {
        this.faults.push(`${path} was refused with ${answer.status}: ${answer.text.slice(0, 200)}`);
        return "refused";
      }
      await delay(TRY_AGAIN_MS);
    }
    this.faults.push(`${path} got no answer in ${GIVE_UP_MS / 1_000} seconds`);
    return "refused";
  }

  /** `undefined` where there was no answer: the Worker is down, or died before it answered. */
  async #send(path: string, body: unknown, key: string | undefined) {
    try {
      const response = await fetch(this.#options.url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...(key !== undefined && { "Idempotency-Key": key }) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  }
}
