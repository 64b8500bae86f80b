import { vi } from "vitest";
import { createDeployment, type Deployment } from "../../../src/execution/deployment.ts";
import { type AnyWorkflow, type Schedule, stepwell } from "../../../src/index.ts";
import type { ExecutionStub } from "../../../src/durable-object/execution-stub.ts";
import { MemoryObjects } from "../../../src/testing/memory-objects.ts";
import { MemoryScheduler } from "../../../src/testing/memory-scheduler.ts";
import { portThrough } from "../../../src/testing/port-through.ts";
import { directoryThrough, MemoryDirectory } from "../../support/memory-directory.ts";
import { READ_TOKEN, TOKEN } from "./test-app.ts";

/** As long as a request may wait. */
const WAIT_MS = 60_000;

/** Times that everything may come to rest before an answer is one that waits for the clock. */
const LOOKS = 5;

/** A whole application over the engine itself, whose objects are in memory, with a clock that moves when an answer waits. */
export class MemoryApp {
  readonly objects: MemoryObjects;
  readonly env: Cloudflare.Env;
  readonly #app;
  readonly #deployment: Deployment;
  readonly #scheduler: MemoryScheduler;
  readonly #directory = new MemoryDirectory();

  /** Needs fake timers for `Date`, which follows the clock. */
  constructor(parts: { workflows: readonly AnyWorkflow[]; schedules: readonly Schedule[] }, now: number) {
    // The cast: the application, and its objects, use no more of their environment.
    this.env = {
      EXECUTIONS: { idFromName: (name: string) => name, get: (id: unknown) => this.#stub(String(id)) },
      DIRECTORY: { idFromName: (name: string) => name, get: () => this.#directory },
      SCHEDULER: { idFromName: (name: string) => name, get: () => this.#scheduler.service },
      STEPWELL_TOKEN: TOKEN,
      STEPWELL_READ_TOKEN: READ_TOKEN,
    } as unknown as Cloudflare.Env;
    this.#app = stepwell(parts);
    this.#deployment = createDeployment(parts);
    vi.setSystemTime(now);
    this.objects = new MemoryObjects({
      now,
      env: this.env,
      fetch: () => Promise.reject(new Error("No service is there.")),
      log: () => {},
      directory: directoryThrough({
        directory: this.#directory,
        clock: () => this.objects.clock,
        fate: () => "delivered",
      }),
      deployment: () => this.#deployment,
      patienceMs: 0,
    });
    const { clock, network } = this.objects;
    this.#scheduler = new MemoryScheduler(this.#deployment, {
      clock,
      executionsOf: (isGone) => network.from({ name: "scheduler", isGone }),
      log: () => {},
    });
    this.objects.perpetual = this.#scheduler;
  }

  /** The answer, after everything has come to rest, and whether the clock had to move for it. */
  async fetch(request: Request): Promise<{ readonly response: Response; readonly waited: boolean }> {
    // The cast: nothing of it is used here.
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext;
    const answered = Symbol();
    const answer = this.#app.fetch(request, this.env, context);
    const isAnswered = async () =>
      (await Promise.race([answer.then(() => answered), this.objects.settle()])) === answered;
    // Bodies come through the event loop, without a turn of any object.
    let waited = true;
    for (let looks = 0; looks < LOOKS && waited; looks += 1) waited = !(await isAnswered());
    if (waited) {
      await this.objects.advanceTo(this.objects.now + WAIT_MS);
      vi.setSystemTime(this.objects.now);
    }
    const response = await answer;
    await this.objects.settle();
    return { response, waited };
  }

  /** Whatever is stored: what has rows, how many were ever written, and alarms. */
  stored(): string {
    const executions = [...this.objects.byName.values()]
      .filter((object) => !object.isEmpty || object.alarm !== undefined)
      .map(({ name, rows, rowsWritten, alarm }) => `${name} ${rows.length} ${rowsWritten} ${alarm}`);
    return [...executions, `schedules ${this.#scheduler.rowsWritten} ${this.#scheduler.alarm}`].join("\n");
  }

  #stub(name: string): ExecutionStub {
    const [workflow = "", id = ""] = name.split("/");
    const { service } = this.objects.object(workflow, id, () => this.#deployment);
    return {
      ...portThrough((_, ask) => ask(service)),
      fetch: async () => Response.json({ kind: "absent" }),
    };
  }
}
