import { defineWorkflow, staticSchema, type AnyWorkflow } from "../../../src/execution/workflow.ts";
import { NonRetryableError } from "../../../src/steps/errors.ts";
import type { MemoryObject } from "../../../src/testing/memory-object.ts";
import { MemoryDirectory } from "../../support/memory-directory.ts";
import { MemoryHost } from "../../support/memory-host.ts";
import { isAtRest, storedState } from "../../support/stored-state.ts";
import { causeIsDurable } from "../cause-is-durable.ts";
import type { Program } from "../programs.ts";
import type { ChildInput } from "../run-child.ts";
import { runAsChild } from "../run-program.ts";
import { serviceOf, type World } from "../world.ts";
import { CLIENT, clientOf, type Asked, type Client } from "./client.ts";
import { disturb } from "./disturb.ts";
import { entriesOf, listedState, wrongAlarm } from "./listed-state.ts";
import { PLAIN_STEPS, type Record, type Talk } from "./record.ts";
import type { Disturbance, Errand, RootStart, Scenario } from "./scenario.ts";

interface RootInput extends ChildInput {
  readonly fails: boolean;
}

const PLAIN_PROGRAM: Program = {
  kind: "sequence",
  parts: Array.from({ length: PLAIN_STEPS }, () => ({ kind: "step", fails: 0, attempts: 3, takesMs: 0 })),
};

/** Not 0, so that no time is below it where a clock is behind. */
const START_AT = 1_000_000;
const NO_TERMS = { fails: false, startsAfterMs: 0, deadlineMs: undefined };
const SIGNALS = { a: staticSchema<unknown>(), b: staticSchema<unknown>() };
const SECOND_MS = 1_000;
/** Rounds of an operator who looks at everything once a minute. */
const ROUNDS = 60;
const ROUND_MS = 60 * SECOND_MS;

/** Lets everything happen that the scenario says, and then time go on until there is nothing left to happen. */
export async function simulate(scenario: Scenario): Promise<Record> {
  const simulation = new Simulation(scenario);
  await simulation.run();
  return simulation.record();
}

class Simulation {
  readonly host: MemoryHost;
  readonly world: World;
  readonly #talks: Talk[] = [];
  readonly #ranAgain: string[] = [];
  readonly #tooEarly: string[] = [];
  readonly #wrongAlarms: string[] = [];
  readonly #scenario: Scenario;
  readonly #client: Client;
  readonly #directory = new MemoryDirectory();
  /** What clients have not been answered yet. */
  readonly #open = new Set<string>();
  /**
   * Objects whose alarm was touched behind their back, or is still the lease of a life that is over: it is right again
   * with the next touch. How often, so that one that comes between a request and its answer is not forgotten.
   */
  readonly #spoiled = new Map<string, number>();
  /** How objects were when their alarms were looked at last. */
  readonly #seen = new Map<string, string>();
  #lives = 0;
  #disturbed = 0;
  #operations = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.world = {
      hits: new Map(),
      urls: new Set(),
      delay: (ms) => this.host.delay(ms),
      namesPlaces: true,
      called: (step, what) => this.#called(step, what),
    };
    const workflows = [this.#rootWorkflow(), this.#childWorkflow()];
    this.host = new MemoryHost({
      now: START_AT,
      workflows,
      fetch: serviceOf(this.world),
      directory: { directory: this.#directory, fate: (call) => scenario.reportFates[call - 1] ?? "delivered" },
      skewMs: () => scenario.skewsMs[this.#lives++ % scenario.skewsMs.length] ?? 0,
    });
    this.host.faults.beforeWrite = (_, kind, object) => {
      this.#operations += 1;
      if (scenario.deaths.includes(this.#operations)) {
        this.#disturbed += 1;
        this.#spoil(object);
        object.kill();
      } else if (scenario.failures.includes(this.#operations) && kind !== "turn") {
        this.#disturbed += 1;
        this.#spoil(object);
        throw new Error("the disk is full");
      }
    };
    this.host.network.fate = (call) => {
      // What clients ask for has its cause elsewhere.
      if (call.from !== CLIENT && !causeIsDurable(this.host, call))
        this.#tooEarly.push(`${call.method} from ${call.from} to ${call.to}`);
      return scenario.fates[call.number - 1] ?? "delivered";
    };
    this.#client = clientOf(this.host, workflows, this.#directory);
  }

  record(): Record {
    const objects = [...this.host.objects].filter(([, { rows }]) => rows.length > 0);
    return {
      journals: new Map(objects.map(([name, object]) => [name, entriesOf(object)])),
      rows: new Map(objects.map(([name, { rows }]) => [name, rows.length])),
      hits: this.world.hits,
      talks: this.#talks,
      ranAgain: this.#ranAgain,
      tooEarly: this.#tooEarly,
      wrongAlarms: this.#wrongAlarms,
      unanswered: [...this.#open],
      listed: new Map([...this.#directory.reports].map(([name, { state }]) => [name, state])),
      lastAlarms: objects.flatMap(([name, object]) => wrongAlarm(name, object)),
      disturbed: this.#disturbed,
    };
  }

  async run(): Promise<void> {
    const { roots, errands, disturbances } = this.#scenario;
    const happenings = [
      { at: 0, happen: () => this.#start({ program: PLAIN_PROGRAM, ...NO_TERMS }, "plain") },
      ...roots.map((root, index) => ({ at: root.at, happen: () => this.#start(root, `r${index}`) })),
      ...errands.map((errand, index) => ({ at: errand.at, happen: () => this.#run(errand, index) })),
      ...disturbances.map((one) => ({ at: one.at, happen: () => this.#disturb(one) })),
    ].toSorted((a, b) => a.at - b.at);
    for (const { at, happen } of happenings) {
      await this.#advanceTo(START_AT + at);
      happen();
    }
    await this.#advanceTo(this.host.now() + ROUND_MS);
    for (let round = 0; round < ROUNDS && (round === 0 || !this.#isOver); round += 1) {
      this.#operate();
      await this.#advanceTo(this.host.now() + ROUND_MS);
    }
  }

  #rootWorkflow(): AnyWorkflow {
    return defineWorkflow(
      {
        name: "root",
        input: staticSchema<RootInput>(),
        signals: SIGNALS,
        retryPolicy: { initialInterval: "500ms", maximumAttempts: 2 },
      },
      async (context) => {
        this.#breakCode();
        const value = await runAsChild(context.input, context, this.world);
        if (context.input.fails) throw new NonRetryableError("The program fails.");
        return value;
      },
    );
  }

  #childWorkflow(): AnyWorkflow {
    return defineWorkflow({ name: "child", input: staticSchema<ChildInput>(), signals: SIGNALS }, (context) => {
      this.#breakCode();
      return runAsChild(context.input, context, this.world);
    });
  }

  /** A fault of the code, which a deploy takes away. */
  #breakCode(): void {
    if (this.host.now() < START_AT + this.#scenario.brokenUntil) throw new TypeError("The code is broken.");
  }

  /** In steps, so that rests are seen. */
  async #advanceTo(at: number): Promise<void> {
    await this.host.settle();
    while (this.host.now() < at) {
      const next = Math.min(at, Math.max(this.host.nextAt() ?? at, this.host.now() + 1));
      await this.host.advance(next - this.host.now());
      this.#lookAtAlarms();
    }
  }

  #lookAtAlarms(): void {
    for (const [name, object] of this.host.objects) {
      const seen = `${object.rows.length} rows, alarm ${object.alarm}`;
      if (this.#seen.get(name) === seen) continue;
      if (this.#spoiled.has(name) || object.isBusy || object.isRinging || this.host.network.callsOf(name) > 0) continue;
      this.#seen.set(name, seen);
      // What never came to be, or waits to be tried again, has no journal yet.
      if (object.rows.length > 0 && isAtRest(object)) this.#wrongAlarms.push(...wrongAlarm(name, object));
    }
  }

  #start({ program, fails, startsAfterMs, deadlineMs }: Omit<RootStart, "at">, id: string): void {
    const json = {
      input: { program, path: id, fails },
      id,
      startAt: this.host.now() + startsAfterMs,
      ...(deadlineMs !== undefined && { deadline: deadlineMs }),
    };
    this.#talk({ root: id, what: "start", key: id }, { method: "POST", path: "/v1/workflows/root/executions", json });
  }

  #run({ root, what }: Errand, index: number): void {
    const id = `r${root % this.#scenario.roots.length}`;
    const key = `errand-${index}`;
    const path = `/v1/workflows/root/executions/${id}`;
    const talk = { root: id, what, key };
    switch (what) {
      case "signal a":
      case "signal b":
        return this.#talk(talk, { method: "POST", path: `${path}/signals/${what.at(-1)}`, json: key, key });
      case "cancel":
      case "pause":
      case "resume":
        return this.#talk(talk, { method: "POST", path: `${path}/${what}`, json: {} });
      case "answer": {
        const url = [...this.world.urls].at(-1);
        if (url === undefined) return;
        return this.#talk(talk, { method: "POST", path: new URL(url).pathname, json: index, key });
      }
      case "result":
        return this.#talk(talk, { method: "GET", path: `${path}/result`, waitSeconds: 20 });
      case "view":
        return this.#talk(talk, { method: "GET", path });
    }
  }

  #talk(talk: Omit<Talk, "answered">, asked: Asked, answered = () => {}): void {
    const label = `${talk.what} ${talk.root} ${talk.key}`;
    this.#open.add(label);
    const insist = async () => {
      this.#talks.push({ ...talk, answered: await this.#client(asked) });
      this.#open.delete(label);
      answered();
    };
    void insist();
  }

  #disturb({ object: index, what }: Disturbance): void {
    const all = [...this.host.objects.values()];
    const object = all[index % Math.max(1, all.length)];
    if (object === undefined) return;
    const { spoilsAlarm, losesMemory } = disturb(object, what);
    if (spoilsAlarm) this.#spoil(object);
    if (losesMemory) this.#disturbed += 1;
  }

  #spoil({ name }: MemoryObject): void {
    this.#spoiled.set(name, (this.#spoiled.get(name) ?? 0) + 1);
  }

  get #isOver(): boolean {
    const objects = [...this.host.objects.values()];
    const isDone = (object: MemoryObject) => {
      const { started, end, outbox, unreported } = listedState(object);
      return started === undefined || (end !== undefined && outbox.size === 0 && unreported === undefined);
    };
    return (
      this.#open.size === 0 && this.#spoiled.size === 0 && objects.every((object) => isDone(object) && !object.isBusy)
    );
  }

  /** Somebody looks at every execution, and resumes what is paused. */
  #operate(): void {
    for (const [name, object] of this.host.objects) {
      const [workflow = "", id = ""] = name.split("/");
      const { started, pause } = storedState(object);
      if (started === undefined) continue;
      const path = `/v1/workflows/${workflow}/executions/${id}`;
      const talk = { root: id, key: `operator ${this.host.now()} ${workflow}` };
      const times = this.#spoiled.get(name);
      const touched = () => {
        if (this.#spoiled.get(name) === times) this.#spoiled.delete(name);
      };
      if (pause === undefined) this.#talk({ ...talk, what: "view" }, { method: "GET", path }, touched);
      else this.#talk({ ...talk, what: "resume" }, { method: "POST", path: `${path}/resume`, json: {} }, touched);
    }
  }

  #called(step: string, what: "step" | "rollback"): void {
    for (const object of this.host.objects.values()) {
      const { operations, rollbacks } = storedState(object);
      const among = what === "step" ? operations : [...rollbacks.values()];
      const recorded = among.find(({ name }) => name === step);
      if (recorded?.phase === "completed") this.#ranAgain.push(`${what} ${step}`);
    }
  }
}
