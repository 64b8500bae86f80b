import { acceptInput, acceptRaw } from "../execution/accept.ts";
import { needsOrigin } from "../execution/callback-urls.ts";
import { findWorkflow, latestWorkflow, type Deployment } from "../execution/deployment.ts";
import { forkExecution } from "../execution/fork-execution.ts";
import type { StartArguments } from "../execution/outcome-types.ts";
import type { AttemptWatch } from "../execution/ports.ts";
import { checkDeadline, checkStartAt } from "../execution/start-terms.ts";
import type { StartRequest } from "../execution/wire.ts";
import {
  definitionOf,
  frozenWorkflow,
  specificationOf,
  type AnyWorkflow,
  type Workflow,
  type WorkflowDefinition,
} from "../execution/workflow.ts";
import { checkAttributes, type Attributes } from "../journal/attributes.ts";
import { type Budget, checkBudget } from "../journal/budget.ts";
import { LIMITS } from "../limits.ts";
import { parseDurationWithin, type Duration } from "../steps/duration.ts";
import { checkExecutionId } from "../steps/names.ts";
import { readFields } from "../steps/read-fields.ts";
import { showValue } from "../steps/show-value.ts";
import { checkBefore } from "./check-before.ts";
import { askObject } from "./ask-object.ts";
import { callbackAddress, TEST_ORIGIN } from "./callback-address.ts";
import { Interrupts, type InterruptOptions } from "./interrupts.ts";
import type { MemoryObject } from "./memory-object.ts";
import type { MemoryStorage } from "./memory-storage.ts";
import { attachScheduler } from "./memory-scheduler.ts";
import { MemoryObjects } from "./memory-objects.ts";
import {
  checkKey,
  ExecutionHandle,
  granted,
  unacceptable,
  type AcceptedRequest,
  type ExecutionHost,
  type TestExecution,
} from "./test-execution.ts";
import { checkTestOptions, type TestEngineOptions } from "./test-options.ts";

/** The terms of a start, as over HTTP. */
export interface TestStartOptions {
  /** 1 to 128 of `A-Z a-z 0-9 . _ ~ -`. @default the workflow's name with a number */
  readonly id?: string | undefined;
  /** When the code shall first run: Unix milliseconds, or ISO 8601 with a zone. */
  readonly startAt?: number | string | undefined;
  readonly deadline?: Duration | undefined;
  readonly attributes?: Attributes | undefined;
  readonly budget?: Budget | undefined;
}

/** The engine itself, over journals in memory and a clock that moves only when a test moves it. */
export interface TestEngine {
  /** What the clock shows, in Unix milliseconds. */
  readonly now: number;
  /**
   * Starts an execution, and resolves when nothing can go on without the clock. The same start again gives the
   * execution that there is.
   *
   * @throws {OperationRefused} for an input that its schema does not take (`VALIDATION_ERROR`), and for an id that has
   * another input (`ID_CONFLICT`)
   */
  start<W extends AnyWorkflow>(workflow: W, ...rest: StartArguments<W, TestStartOptions>): Promise<TestExecution<W>>;
  /** Any execution of this engine. That it exists shows when it is looked at. */
  get<W extends AnyWorkflow>(workflow: W, id: string): TestExecution<W>;
  /** Moves the clock, and fires everything that is due on the way in the order of the due times. */
  advance(duration: Duration): Promise<void>;
  /** Moves the clock from wake to wake until nothing waits for time. Purges after the end are not waited for. */
  runToEnd(): Promise<void>;
  /** As `interrupt` of an execution, for whichever comes first; before its start, too. */
  interrupt(step: string, options?: InterruptOptions): void;
  /**
   * Answers a callback, as whoever has its URL does.
   *
   * @throws {OperationRefused} with the code that an answer over HTTP has
   */
  answerCallback(
    url: string,
    value?: unknown,
    options?: { readonly idempotencyKey?: string | undefined },
  ): Promise<void>;
  /** A promise that resolves when the clock has moved so far: for steps whose work takes time. */
  delay(duration: Duration): Promise<void>;
}

/** What an exploration does to an engine besides. */
export interface EngineHooks {
  readonly endTurn?: (object: MemoryObject) => Promise<void>;
  readonly watch?: (object: MemoryObject) => AttemptWatch;
  readonly whenQuiet?: () => Promise<boolean>;
  /** Calls the code of a workflow. */
  readonly call?: (run: () => Promise<unknown>) => Promise<unknown>;
  readonly nextKey?: () => string;
  readonly accepted?: (object: MemoryObject, request: AcceptedRequest) => void;
}

const START_KEYS = ["id", "startAt", "deadline", "attributes", "budget"] as const;

/** Nobody tests a longer time than that in one go; the platform's alarms end in 2189. */
const ADVANCE = { minimumMs: 0, maximumMs: 100 * LIMITS.waitMs };

/**
 * Makes an engine for tests: in Node, in workerd, wherever promises are. It is the engine of the deployment, so retries,
 * replays, exhaustion, signals, pauses and cancellations are what they are there.
 *
 * @throws {TypeError} or {RangeError} that names the option, the rule and the value, as `stepwell` does
 * @example
 * ```ts
 * const engine = createTestEngine({ workflows: [order], now: 0 });
 * const execution = await engine.start(order, { sku: "lamp", cents: 4900 });
 * await execution.signal("approval", { approved: true });
 * await engine.runToEnd();
 * ```
 */
export function createTestEngine(options: TestEngineOptions): TestEngine {
  return new Engine(options);
}

export class Engine implements TestEngine, ExecutionHost {
  readonly objects: MemoryObjects;
  readonly interrupts = new Interrupts();
  readonly runs = new Map<string, number>();
  readonly nextKey: () => string | undefined;
  readonly accepted: (object: MemoryObject, request: AcceptedRequest) => void;
  readonly #deployment: Deployment;
  readonly #env: unknown;
  #started = 0;

  constructor(options: TestEngineOptions, hooks: EngineHooks = {}) {
    const { deployment, ...checked } = checkTestOptions(options);
    this.#deployment = { ...deployment, workflows: deployment.workflows.map((one) => this.#counted(one, hooks.call)) };
    this.#env = checked.env;
    this.objects = new MemoryObjects({
      ...checked,
      endTurn: hooks.endTurn,
      whenQuiet: hooks.whenQuiet,
      deployment: () => this.#deployment,
      watch: (object) => this.#watch(object, hooks.watch?.(object)),
    });
    attachScheduler(this.objects, this.#deployment, checked.log);
    this.nextKey = hooks.nextKey ?? (() => undefined);
    this.accepted = hooks.accepted ?? (() => {});
  }

  get now(): number {
    return this.objects.now;
  }

  /** The same workflow, whose calls are counted. */
  #counted(workflow: Workflow, call: EngineHooks["call"] = (run) => run()): Workflow {
    const definition = definitionOf(workflow);
    if (definition === undefined) return workflow;
    const { run } = definition;
    return frozenWorkflow({
      ...definition,
      run: (context) => {
        const name = `${definition.name}/${context.execution.id}`;
        this.runs.set(name, (this.runs.get(name) ?? 0) + 1);
        return call(() => run(context));
      },
    });
  }

  #watch(object: MemoryObject, watch: AttemptWatch | undefined): AttemptWatch {
    return {
      started: (attempt) => watch?.started(attempt),
      ended: (attempt) => {
        if (!this.interrupts.take(object.name, attempt)) return watch?.ended(attempt);
        this.objects.interrupt(object);
        return new Promise(() => {});
      },
    };
  }

  async start<W extends AnyWorkflow>(
    workflow: W,
    ...[input, options]: StartArguments<W, TestStartOptions>
  ): Promise<TestExecution<W>> {
    const definition = this.#definition(workflow);
    const request = await this.#startRequest(definition, input, options);
    const handle = this.#handle<W>(definition, request.id);
    granted(`${request.workflow}/${request.id}`, await askObject(handle.object, (service) => service.start(request)));
    this.accepted(handle.object, { kind: "start" });
    await this.objects.settle();
    return handle;
  }

  async fork<W extends AnyWorkflow>(of: ExecutionHandle<W>, options: unknown): Promise<TestExecution<W>> {
    const { id, before } = readFields(options ?? {}, "options", ["id", "before"]);
    const fork = this.#handle<W>(of.definition, id === undefined ? this.#freeId(of.workflow) : checkExecutionId(id));
    const answer = await forkExecution(
      {
        cut: (request) => askObject(of.object, (service) => service.cut(request)),
        copy: (request) => askObject(of.object, (service) => service.copy(request)),
      },
      { fork: (request, copy) => askObject(fork.object, (service) => service.fork(request, copy)) },
      { workflow: of.workflow, of: of.id, id: fork.id, ...(before !== undefined && { before: checkBefore(before) }) },
    );
    granted(`${of.workflow}/${of.id}`, answer);
    this.accepted(fork.object, { kind: "start" });
    await this.objects.settle();
    return fork;
  }

  async #startRequest(definition: WorkflowDefinition, raw: unknown, options: unknown): Promise<StartRequest> {
    const given = readFields(options ?? {}, "options", START_KEYS);
    const { id, startAt, deadline, attributes, budget } = given;
    const { maximumValueBytes } = this.#deployment;
    const accepted = await acceptInput(definition, raw, { maximumValueBytes, at: ["input"] });
    if (accepted.kind === "unacceptable") throw unacceptable(accepted);
    const { name: workflow, version } = definition;
    return {
      workflow,
      ...(version !== undefined && { version }),
      id: id === undefined ? this.#freeId(workflow) : checkExecutionId(id),
      input: accepted.input,
      inputHash: accepted.inputHash,
      ...(needsOrigin(this.#deployment) && { origin: TEST_ORIGIN }),
      ...(startAt !== undefined && { startAt: checkStartAt(startAt, this.now) }),
      ...(deadline !== undefined && { deadlineMs: checkDeadline(deadline) }),
      ...(attributes !== undefined && { attributes: checkAttributes(attributes) }),
      ...(budget !== undefined && { budget: checkBudget(budget) }),
      waitMs: 0,
    };
  }

  #freeId(workflow: string): string {
    do this.#started += 1;
    while (this.objects.byName.has(`${workflow}/${workflow}-${this.#started}`));
    return `${workflow}-${this.#started}`;
  }

  get<W extends AnyWorkflow>(workflow: W, id: string): TestExecution<W> {
    return this.#handle<W>(this.#definition(workflow), checkExecutionId(id));
  }

  #handle<W extends AnyWorkflow>(definition: WorkflowDefinition, id: string): ExecutionHandle<W> {
    const object = this.objects.object(definition.name, id, () => this.#deployment);
    return new ExecutionHandle<W>(this, definition, { id, object });
  }

  /** An object of this engine with the journal of another one. */
  adopt({ name }: MemoryObject, storage: MemoryStorage): MemoryObject {
    return this.objects.adopt(name, this.#deployment, storage);
  }

  /** What stands behind a workflow of this engine; for a spec, its version that was registered last. */
  #definition(workflow: AnyWorkflow): WorkflowDefinition {
    const terms = definitionOf(workflow) ?? specificationOf(workflow);
    if (terms === undefined) {
      const rule = "it must be what defineWorkflow or defineWorkflowSpec returned";
      throw new TypeError(`Cannot use workflow as ${rule}: current value is ${showValue(workflow)}`);
    }
    const { name, version } = terms;
    const isSpec = definitionOf(workflow) === undefined;
    const found = isSpec ? latestWorkflow(this.#deployment, name) : findWorkflow(this.#deployment, name, version);
    const definition = definitionOf(found);
    if (definition !== undefined) return definition;
    const shown = version === undefined ? name : `${name} in version ${version}`;
    throw new RangeError(`Cannot use workflow as it must be one of the engine's workflows: current value is ${shown}`);
  }

  async answerCallback(
    url: string,
    raw?: unknown,
    options: { readonly idempotencyKey?: string | undefined } = {},
  ): Promise<void> {
    const { workflow, id, startedAt, callback } = callbackAddress(url, this.#env);
    const key = checkKey(options.idempotencyKey) ?? this.nextKey();
    const accepted = acceptRaw(raw, this.#deployment.maximumValueBytes);
    if (accepted.kind === "unacceptable") throw unacceptable(accepted);
    const object = this.objects.object(workflow, id, () => this.#deployment);
    const request = { callback, startedAt, value: accepted.value, ...(key !== undefined && { key }) };
    const answer = await askObject(object, (service) => service.answerCallback(request));
    if (answer.kind === "unacceptable") throw unacceptable(answer);
    granted(`${workflow}/${id}`, answer);
    this.accepted(object, { kind: "answer", callback });
    await this.objects.settle();
  }

  async advance(duration: Duration): Promise<void> {
    await this.objects.advanceTo(this.now + parseDurationWithin(duration, "duration", ADVANCE));
  }

  async runToEnd(): Promise<void> {
    await this.objects.runToEnd();
  }

  interrupt(step: string, options?: InterruptOptions): void {
    this.interrupts.add(undefined, step, options);
  }

  async delay(duration: Duration): Promise<void> {
    await this.objects.clock.delay(parseDurationWithin(duration, "duration", ADVANCE));
  }
}
