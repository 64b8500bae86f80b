import { startBudget } from "../journal/budget.ts";
import { decideAnswer, type AnswerDecision } from "../journal/callback.ts";
import { decideCommand, decideSignal } from "../journal/command.ts";
import { JOURNAL_FORMAT, type Started } from "../journal/entry.ts";
import type { CallbackOperation } from "../journal/state.ts";
import { utf8Length } from "../journal/value-text.ts";
import { LIMITS } from "../limits.ts";
import { acceptAnswer, type AcceptedValue, type Unacceptable } from "./accept.ts";
import { findWorkflow, termsOf, type Deployment } from "./deployment.ts";
import { eventStream } from "./event-stream.ts";
import { Execution } from "./execution.ts";
import { viewOf } from "./execution-view.ts";
import { Feed } from "./feed.ts";
import { findSchema } from "./find-schema.ts";
import type { NumberedEntry } from "./journal.ts";
import type { Ports } from "./ports.ts";
import type {
  Absent,
  AnswerRequest,
  CallbackAnswer,
  CommandAnswer,
  CommandRequest,
  EventsAnswer,
  EventsRequest,
  ExecutionPort,
  ExecutionView,
  Found,
  LargeValue,
  JournalPage,
  PageRequest,
  Refused,
  SignalAnswer,
  SignalRequest,
  StartAnswer,
  StartRequest,
} from "./wire.ts";
import { WakeAlarm } from "./wake-alarm.ts";
import { definitionOf, type WorkflowDefinition } from "./workflow.ts";

const ABSENT: Absent = { kind: "absent" };

/** Answers what callers ask of one execution: each request touches it, decides, and answers what is durable. */
export class ExecutionService implements ExecutionPort {
  readonly #ports: Ports;
  readonly #deployment: Deployment;
  readonly #alarm: WakeAlarm;
  readonly #feed: Feed;
  #execution: Execution;

  constructor(ports: Ports, deployment: Deployment) {
    this.#ports = ports;
    this.#deployment = deployment;
    this.#alarm = new WakeAlarm(ports.alarm, ports.clock);
    this.#feed = new Feed(ports, () => this.#execution.journal);
    this.#execution = this.#begin();
  }

  #begin(): Execution {
    return new Execution({
      ports: this.#ports,
      deployment: this.#deployment,
      alarm: this.#alarm,
      feed: this.#feed,
      retired: () => (this.#execution = this.#begin()),
    });
  }

  async start(request: StartRequest): Promise<StartAnswer | Refused> {
    // Of several starts in one turn all find nothing stored; the first of them has started it by now.
    const exists = (await this.#execution.touch()) || this.#execution.state.started !== undefined;
    if (exists && this.#execution.state.started?.inputHash !== request.inputHash) {
      return refused("ID_CONFLICT", `Cannot start ${request.workflow} ${request.id} as that id has another input.`);
    }
    if (!exists) {
      const definition = definitionOf(findWorkflow(this.#deployment, request.workflow, request.version));
      if (definition === undefined) {
        return refused("NOT_CONFIGURED", `Cannot start ${request.workflow} as this object does not have it yet.`);
      }
      this.#execution.take([this.#started(request, definition)]);
      const view = await this.#execution.waiters.commit(() => this.#view());
      if (request.waitMs === 0) return { kind: "started", created: true, view };
    }
    await this.#until(() => this.#hasEnded, request.waitMs);
    return { kind: "started", created: !exists, view: this.#view() };
  }

  async view(): Promise<Found | Absent> {
    return (await this.#execution.touch()) ? { kind: "found", view: this.#view() } : ABSENT;
  }

  async result(waitMs: number): Promise<Found | Absent> {
    if (!(await this.#execution.touch())) return ABSENT;
    await this.#until(() => this.#hasEnded, waitMs);
    return this.#execution.journal.load() ? { kind: "found", view: this.#view() } : ABSENT;
  }

  async signal(request: SignalRequest): Promise<SignalAnswer | Absent | Refused> {
    if (!(await this.#execution.touch())) return ABSENT;
    const { state, now, journal } = this.#execution;
    const { name, key } = request;
    const signal = {
      name,
      value: () => journal.encoded(request.value),
      bytes: utf8Length(request.value),
      ...(key !== undefined && { key }),
    };
    const decision = decideSignal(state, signal, now);
    if (decision.kind === "entries") this.#execution.take(decision.entries);
    this.#execution.commit();
    if (decision.kind === "refused") return decision;
    await this.#until(() => this.#hasEnded || !this.#execution.isBusy, request.waitMs);
    return { kind: "accepted", duplicate: decision.kind === "unchanged", view: this.#view() };
  }

  async answerCallback(request: AnswerRequest): Promise<CallbackAnswer | Absent | Refused | Unacceptable> {
    if (!(await this.#execution.touch())) return ABSENT;
    const open = this.#openCallback(request);
    if (open.kind !== "open") return open;
    const accepted = await this.#accept(request, open.callback);
    if (accepted.kind !== "accepted") return accepted;
    if (!(await this.#execution.touch())) return ABSENT;
    // A schema may take its time, in which another answer may have come, or the callback's time may be up.
    const still = this.#openCallback(request);
    if (still.kind !== "open") return still;
    const { callback, key } = request;
    const { now, journal } = this.#execution;
    const value = journal.encoded(accepted.value);
    this.#execution.take([{ type: "callback-answered", callback, value, ...(key !== undefined && { key }), at: now }]);
    this.#execution.commit();
    return { kind: "answered", duplicate: false };
  }

  /** What it says is durable. */
  #openCallback(request: AnswerRequest): Extract<AnswerDecision, { readonly kind: "open" }> | CallbackAnswer | Refused {
    const { state, now, journal } = this.#execution;
    this.#execution.commit();
    const decision = decideAnswer(state, request, now);
    if (decision.kind === "duplicate") return { kind: "answered", duplicate: true };
    if (decision.kind === "refused" || journal.bytes <= LIMITS.journalBytes) return decision;
    const rule = `its journal may have ${LIMITS.journalBytes} bytes besides its large values`;
    return refused("JOURNAL_LIMIT", `Cannot answer the callback as ${rule}: current value is ${journal.bytes}`);
  }

  /** As the schema makes it, which is in the code alone. */
  async #accept(
    { value }: AnswerRequest,
    { op, hasSchema }: CallbackOperation,
  ): Promise<AcceptedValue | Refused | Unacceptable> {
    if (!hasSchema) return { kind: "accepted", value };
    const parts = { ports: this.#ports, deployment: this.#deployment };
    const given = this.#execution.schemaOf(op) ?? (await findSchema(op, parts));
    if (given !== undefined) {
      return await acceptAnswer(given.schema, value, { maximumValueBytes: this.#deployment.maximumValueBytes, at: [] });
    }
    const rule = "the workflow's code must come to it, to tell its schema: current value is code that does not";
    return refused("UNAVAILABLE", `Cannot answer the callback as ${rule}`);
  }

  async command(request: CommandRequest): Promise<CommandAnswer | Absent | Refused> {
    if (!(await this.#execution.touch())) return ABSENT;
    const decision = decideCommand(this.#execution.state, request, this.#execution.now);
    if (decision.kind === "entries") this.#execution.take(decision.entries);
    this.#execution.commit();
    if (decision.kind === "refused") return decision;
    return { kind: "done", changed: decision.kind === "entries", view: this.#view() };
  }

  async journal(request: PageRequest): Promise<JournalPage | Absent> {
    if (!(await this.#execution.touch())) return ABSENT;
    this.#execution.commit();
    const page: string[] = [];
    let next: number | null = null;
    for (const { number, entry } of this.#execution.journal.entries(request.from)) {
      if (page.length === request.limit) {
        next = number;
        break;
      }
      page.push(JSON.stringify({ entry: number, ...entry }));
    }
    return { kind: "page", entries: `[${page.join(",")}]`, next };
  }

  async value(entry: number): Promise<LargeValue | Absent> {
    if (!(await this.#execution.touch())) return ABSENT;
    this.#execution.commit();
    const value = this.#execution.journal.blob(entry);
    return { kind: "value", ...(value !== undefined && { value }) };
  }

  async events({ from, form, isOpened }: EventsRequest): Promise<EventsAnswer | Absent | Refused> {
    const refusal = await this.admit(from);
    if (refusal !== undefined) return refusal;
    if (this.#feed.isOver(from)) return { kind: "over" };
    if (!isOpened) return { kind: "events" };
    const stream = eventStream({ feed: this.#feed, clock: this.#ports.clock, from, form });
    return { kind: "events", stream };
  }

  /** Why nobody more can watch from the entry `from` on; `undefined` where somebody can. */
  async admit(from: number): Promise<Absent | Refused | undefined> {
    if (!(await this.#execution.touch())) return ABSENT;
    this.#execution.commit();
    return this.#feed.refusalOf(from);
  }

  /** What those can see who watch in this object. */
  get feed(): Feed {
    return this.#feed;
  }

  /** Finds the journal for them, after the object was out of memory. */
  async load(): Promise<void> {
    if (await this.#execution.touch()) this.#feed.look();
  }

  async purge(): Promise<{ readonly kind: "purged" } | Absent | Refused> {
    if (!(await this.#execution.touch())) return ABSENT;
    if (!this.#hasEnded) return refused("EXECUTION_NOT_ENDED", "Cannot delete the execution as it has not ended.");
    await this.#execution.purge();
    return { kind: "purged" };
  }

  /** The alarm rang that had been set for `scheduledFor`, if the platform tells. */
  async wake(scheduledFor?: number): Promise<void> {
    await this.#execution.wake(scheduledFor);
  }

  /** True while work is in memory; for those who live in the same process, as is `entries`. */
  get isBusy(): boolean {
    return this.#execution.isBusy;
  }

  /** The entries in memory and storage, for those who live in the same process. */
  entries(): readonly NumberedEntry[] {
    this.#execution.commit();
    return [...this.#execution.journal.entries(0)];
  }

  get #hasEnded(): boolean {
    return this.#execution.state.end !== undefined;
  }

  #started(request: StartRequest, definition: WorkflowDefinition): Started {
    const { workflow, id, version, inputHash, attributes, origin, trace } = request;
    const { policy, timeoutMs } = termsOf(this.#deployment, definition);
    const at = this.#execution.now;
    return {
      type: "started",
      format: JOURNAL_FORMAT,
      workflow,
      id,
      ...(version !== undefined && { version }),
      seed: `${workflow}/${id}/${at}`,
      input: this.#execution.journal.encoded(request.input),
      inputHash,
      policy,
      timeoutMs,
      retentionMs: definition.retentionMs ?? this.#deployment.retentionMs,
      ...timesOfStart(request, definition, at),
      ...(attributes !== undefined && { attributes }),
      ...startBudget(request.budget, definition.budget),
      ...(origin !== undefined && { origin }),
      ...(trace !== undefined && { trace }),
      at,
    };
  }

  async #until(isSo: () => boolean, waitMs: number): Promise<void> {
    const until = this.#execution.now + waitMs;
    while (this.#execution.journal.load() && !isSo() && this.#execution.now < until) {
      await this.#execution.waiters.change(this.#ports.clock, until);
    }
  }

  #view(): ExecutionView {
    this.#execution.commit();
    return viewOf(this.#execution);
  }
}

/** A deadline counts from when the code may first run. */
function timesOfStart(
  { startAt = 0, deadlineMs }: StartRequest,
  definition: WorkflowDefinition,
  now: number,
): Pick<Started, "startAt" | "deadlineAt"> {
  const limitMs = deadlineMs ?? definition.deadlineMs;
  return {
    ...(startAt > now && { startAt }),
    ...(limitMs !== undefined && { deadlineAt: Math.max(startAt, now) + limitMs }),
  };
}

function refused(code: Refused["code"], message: string): Refused {
  return { kind: "refused", code, message };
}
