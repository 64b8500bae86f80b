import type { StandardSchemaV1 } from "@standard-schema/spec";
import { acceptSignal, type Unacceptable } from "../execution/accept.ts";
import { outcomeViewOf } from "../execution/execution-view.ts";
import type { Journal } from "../execution/journal.ts";
import type { Outcome } from "../execution/outcome-types.ts";
import type { Absent, Command, ExecutionState, OutcomeView, Refused, WaitView } from "../execution/wire.ts";
import type { AnyWorkflow, OutputOf, TypesOf, WorkflowDefinition } from "../execution/workflow.ts";
import type { Attributes } from "../journal/attributes.ts";
import { showEntry } from "../journal/entry-value.ts";
import { decodeValue } from "../journal/value.ts";
import { executionState, waitsOf } from "../journal/view.ts";
import { LIMITS } from "../limits.ts";
import { OperationRefused } from "../steps/errors.ts";
import { showValue } from "../steps/show-value.ts";
import { askObject } from "./ask-object.ts";
import type { InterruptOptions, Interrupts } from "./interrupts.ts";
import type { MemoryObject } from "./memory-object.ts";
import type { MemoryObjects } from "./memory-objects.ts";
import { operationsOf, type TestOperation } from "./operation-list.ts";
import { StoredJournal } from "./stored-journal.ts";
import { failureOf, type TestFailure } from "./test-failure.ts";

/** An entry of the journal with its number; its journaled value, where it has one, is decoded. */
export type TestEntry = Readonly<Record<string, unknown>> & {
  readonly entry: number;
  readonly type: string;
  readonly at: number;
};

/**
 * One execution in a test. Its properties show it as it is when they are read, from the journal alone: looking changes
 * nothing. Its methods act as requests do, and resolve when nothing can go on without the clock.
 *
 * Where there is no such execution, or what is asked for is refused, `OperationRefused` with the code that an answer
 * over HTTP has.
 */
export interface TestExecution<W extends AnyWorkflow = AnyWorkflow> {
  readonly id: string;
  readonly workflow: string;
  readonly state: ExecutionState;
  /** Once it has ended. */
  readonly outcome: Outcome<W> | undefined;
  /** Why it is paused, what its last run failed with, or what the last attempt threw of the step that ended it. */
  readonly failure: TestFailure | undefined;
  /** How often the workflow's function was called: runs with their replays. */
  readonly attempts: number;
  /** The entries, with their values decoded. */
  readonly journal: readonly TestEntry[];
  /** Every operation, in the order in which the code asked. */
  readonly steps: readonly TestOperation[];
  /** What has to happen before it goes on, the soonest first. */
  readonly waitingFor: readonly WaitView[];
  readonly progress: unknown;
  readonly attributes: Attributes;
  /** Sends a signal. Under a known `idempotencyKey` it counts once. */
  signal<Name extends keyof TypesOf<W>["signals"] & string>(
    name: Name,
    value: StandardSchemaV1.InferInput<TypesOf<W>["signals"][Name]>,
    options?: { readonly idempotencyKey?: string | undefined },
  ): Promise<void>;
  cancel(reason?: string): Promise<void>;
  pause(reason?: string): Promise<void>;
  resume(): Promise<void>;
  terminate(reason?: string): Promise<void>;
  /** A new execution with a copy of this one's journal, up to a cut. */
  fork(options?: TestForkOptions): Promise<TestExecution<W>>;
  /** Its object loses its memory, and with it every attempt in flight: the next wake or request replays. */
  evict(): void;
  /**
   * Its object will be lost when an attempt of this step has done its work, before the outcome is journaled: the
   * workflow never sees it, and the attempt counts. By default the next attempt that ends.
   */
  interrupt(step: string, options?: InterruptOptions): void;
}

export interface TestForkOptions {
  /** As at a start. */
  readonly id?: string | undefined;
  /** The name of a step, with its occurrence, or the number of an entry. @default the end of the code */
  readonly before?: string | number | undefined;
}

/** What a handle needs of its engine. */
export interface ExecutionHost {
  readonly objects: MemoryObjects;
  readonly interrupts: Interrupts;
  /** Calls of workflows' functions, by `workflow/id`. */
  readonly runs: ReadonlyMap<string, number>;
  /** For signals that were given none. */
  readonly nextKey: () => string | undefined;
  readonly fork: <W extends AnyWorkflow>(of: ExecutionHandle<W>, options: unknown) => Promise<TestExecution<W>>;
  /** Told of every request that was answered. */
  readonly accepted: (object: MemoryObject, request: AcceptedRequest) => void;
}

/** What the journal must tell of from now on. */
export type AcceptedRequest =
  | { readonly kind: "start" }
  | { readonly kind: "signal"; readonly key: string | undefined }
  | { readonly kind: "answer"; readonly callback: string }
  | { readonly kind: Command };

/** The execution behind one object. */
export class ExecutionHandle<W extends AnyWorkflow> implements TestExecution<W> {
  readonly id: string;
  readonly workflow: string;
  readonly object: MemoryObject;
  readonly #host: ExecutionHost;
  readonly definition: WorkflowDefinition;
  readonly #stored: StoredJournal;

  constructor(host: ExecutionHost, definition: WorkflowDefinition, of: { readonly id: string; object: MemoryObject }) {
    this.#host = host;
    this.definition = definition;
    this.id = of.id;
    this.workflow = definition.name;
    this.object = of.object;
    this.#stored = new StoredJournal(of.object);
  }

  get #name(): string {
    return `${this.workflow}/${this.id}`;
  }

  get #journal(): Journal {
    const journal = this.#stored.read();
    if (journal !== undefined) return journal;
    throw new OperationRefused("NOT_FOUND", `There is no execution ${this.#name}, or its retention is over.`);
  }

  get state(): ExecutionState {
    return executionState(this.#journal.state, this.object.isBusy);
  }

  get outcome(): Outcome<W> | undefined {
    const journal = this.#journal;
    const outcome = outcomeViewOf(journal);
    return outcome && decodedOutcome<W>(outcome);
  }

  get failure(): TestFailure | undefined {
    return failureOf(this.#journal);
  }

  get attempts(): number {
    return this.#host.runs.get(this.#name) ?? 0;
  }

  get journal(): readonly TestEntry[] {
    const journal = this.#journal;
    return [...journal.entries(0)].map(({ number, entry }) => {
      // The cast: it is the entry itself, with another value.
      return { entry: number, ...showEntry(entry, (value) => journal.decode(value)) } as TestEntry;
    });
  }

  get steps(): readonly TestOperation[] {
    return operationsOf(this.#journal);
  }

  get waitingFor(): readonly WaitView[] {
    return waitsOf(this.#journal.state);
  }

  get progress(): unknown {
    const journal = this.#journal;
    return journal.state.progress && journal.decode(journal.state.progress);
  }

  get attributes(): Attributes {
    return this.#journal.state.attributes;
  }

  async signal(name: string, value: unknown, options: { readonly idempotencyKey?: string | undefined } = {}) {
    const key = checkKey(options.idempotencyKey) ?? this.#host.nextKey();
    const { maximumValueBytes } = this.object.deployment;
    const accepted = await acceptSignal(this.definition, { name, value }, { maximumValueBytes, at: [] });
    if (accepted.kind === "unacceptable") throw unacceptable(accepted);
    const request = { name, value: accepted.value, waitMs: 0, ...(key !== undefined && { key }) };
    granted(this.#name, await askObject(this.object, (service) => service.signal(request)));
    this.#host.accepted(this.object, { kind: "signal", key });
    await this.#host.objects.settle();
  }

  cancel(reason?: string): Promise<void> {
    return this.#command("cancel", reason);
  }

  pause(reason?: string): Promise<void> {
    return this.#command("pause", reason);
  }

  resume(): Promise<void> {
    return this.#command("resume");
  }

  terminate(reason?: string): Promise<void> {
    return this.#command("terminate", reason);
  }

  fork(options?: TestForkOptions): Promise<TestExecution<W>> {
    return this.#host.fork(this, options);
  }

  async #command(command: Command, reason?: unknown): Promise<void> {
    if (reason !== undefined && typeof reason !== "string") {
      throw new TypeError(`Cannot use reason as it must be a string: current value is ${showValue(reason)}`);
    }
    const request = { command, ...(reason !== undefined && { reason }) };
    granted(this.#name, await askObject(this.object, (service) => service.command(request)));
    this.#host.accepted(this.object, { kind: command });
    await this.#host.objects.settle();
  }

  evict(): void {
    this.object.evict();
  }

  interrupt(step: string, options?: InterruptOptions): void {
    this.#host.interrupts.add(this.#name, step, options);
  }
}

/** The answer, unless there is no such execution or a rule forbids it: those are thrown. */
export function granted<Answer extends { readonly kind: string }>(
  execution: string,
  answer: Answer | Absent | Refused,
): Exclude<Answer, Absent | Refused> {
  const open: { readonly kind: string } | Absent | Refused = answer;
  if (open.kind === "absent") {
    throw new OperationRefused("NOT_FOUND", `There is no execution ${execution}, or its retention is over.`);
  }
  if ("code" in open) throw new OperationRefused(open.code, open.message);
  // The cast: the compiler does not narrow a type parameter.
  return answer as Exclude<Answer, Absent | Refused>;
}

export function unacceptable({ code, message, issues = [] }: Unacceptable): OperationRefused {
  const details = issues.map(({ path, message: fault }) => (path === "" ? fault : `${path}: ${fault}`));
  return new OperationRefused(code, details.length === 0 ? message : `${message}: ${details.join("; ")}`);
}

function decodedOutcome<W extends AnyWorkflow>(outcome: OutcomeView): Outcome<W> {
  if (outcome.kind === "cancelled") return outcome;
  // The casts: the values have the types that the schemas promise, which only the author's compiler knows.
  if (outcome.kind === "completed") return { kind: "completed", value: decodeValue(outcome.value) as OutputOf<W> };
  return { ...outcome, details: decodeValue(outcome.details) } as Outcome<W>;
}

export function checkKey(key: unknown): string | undefined {
  const rule = `it must be a string of 1 to ${LIMITS.idempotencyKeyLength} characters`;
  const message = `Cannot use idempotencyKey as ${rule}: current value is ${showValue(key)}`;
  if (key === undefined) return undefined;
  if (typeof key !== "string") throw new TypeError(message);
  if (key.length < 1 || key.length > LIMITS.idempotencyKeyLength) throw new RangeError(message);
  return key;
}
