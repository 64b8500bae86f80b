import { describe, expect, it } from "vitest";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";

const START = Date.UTC(2100, 0, 1);
const MIDNIGHT = START + 86_400_000;
const EXECUTIONS = 2_000;
const WORK_MS = 20;

/** A service that does one thing at a time: whoever comes meanwhile waits for its turn. */
class SlowService {
  readonly callsByKey = new Map<string, number>();
  readonly #host: MemoryHost;
  #turn: Promise<void> = Promise.resolve();
  #active = 0;
  mostAtOnce = 0;

  constructor(host: MemoryHost) {
    this.#host = host;
  }

  call(key: string): Promise<number> {
    const turn = this.#turn.then(() => this.#work(key));
    this.#turn = turn.then(() => {});
    return turn.then(() => this.#host.now());
  }

  async #work(key: string): Promise<void> {
    this.#active += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#active);
    this.callsByKey.set(key, (this.callsByKey.get(key) ?? 0) + 1);
    await this.#host.delay(WORK_MS);
    this.#active -= 1;
  }
}

describe("executions that sleep until the same moment", () => {
  it("case 233: two thousand all complete, each calls the service once, and none is later than its turn", async () => {
    const flow = defineWorkflow({ name: "midnight" }, async ({ sleepUntil, step }) => {
      await sleepUntil(MIDNIGHT);
      return await step.run("call", ({ idempotencyKey }) => service.call(idempotencyKey));
    });
    const host = new MemoryHost({ workflows: [flow], now: START });
    const service = new SlowService(host);
    const probes: MemoryProbe[] = [];
    for (let i = 0; i < EXECUTIONS; i += 1) probes.push(await host.start(flow));
    // Half of them have to be replayed first.
    for (const [index, probe] of probes.entries()) if (index % 2 === 0) await probe.evict();
    await host.advance(MIDNIGHT - START - 1);
    expect(service.callsByKey.size).toBe(0);
    await host.runToEnd();

    const endedAt: unknown[] = [];
    for (const { object } of probes) {
      const result = await object.service.view();
      if (result.kind === "found") endedAt.push(result.view.outcome?.kind === "completed" && result.view.endedAt);
    }
    // One after the other, without a gap: the service decides how late each is, not the engine.
    const turns = Array.from({ length: EXECUTIONS }, (_, index) => MIDNIGHT + (index + 1) * WORK_MS);
    expect(endedAt.toSorted((a, b) => Number(a) - Number(b))).toEqual(turns);
    expect(service.callsByKey.size).toBe(EXECUTIONS);
    expect(new Set(service.callsByKey.values())).toEqual(new Set([1]));
    expect(service.mostAtOnce).toBe(1);
  });
});
