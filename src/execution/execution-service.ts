import { decideAnswer, type AnswerDecision } from "../journal/callback.ts";
import { decideCommand, decideSignal } from "../journal/command.ts";
import type { CallbackOperation } from "../journal/callback-operations.ts";
import { reportOf } from "../journal/report.ts";
import { utf8Length } from "../journal/value-text.ts";
import { LIMITS } from "../limits.ts";
import { acceptAnswer, type AcceptedValue, type Unacceptable } from "./accept.ts";
import { deleteExecution, type Purged } from "./delete-execution.ts";
import { findWorkflow, type Deployment } from "./deployment.ts";
import { Execution } from "./execution.ts";
import { viewOf } from "./execution-view.ts";
import { findSchema } from "./find-schema.ts";
import { ForkReceiver } from "./fork-receiver.ts";
import { copyPage, cutJournal } from "./fork-source.ts";
import { journalPage } from "./journal-page.ts";
import type { NumberedEntry } from "./journal.ts";
import { hear, watch } from "./other-executions.ts";
import type { Ports } from "./ports.ts";
import { isFull } from "./refusals.ts";
import { endBeforeStart, startedEntry } from "./started-entry.ts";
import type {
  Absent,
  AnswerRequest,
  CallbackAnswer,
  CommandAnswer,
  CommandRequest,
  EventsRequest,
  ExecutionPort,
  ExecutionView,
  Found,
  LargeValue,
  Listed,
  JournalPage,
  PageRequest,
  Refused,
  SignalAnswer,
  SignalRequest,
  StartAnswer,
  StartRequest,
  ToldRequest,
  WatchAnswer,
  WatchRefused,
  WatchRequest,
} from "./wire.ts";
import type { CopyJournal, CopyRequest, CutRequest, ForkRequest } from "./wire-fork.ts";
import { touchExecution, touchOrClear } from "./touch-execution.ts";
import { Viewers } from "./viewers.ts";
import { WakeAlarm } from "./wake-alarm.ts";
import { definitionOf } from "./workflow.ts";

const ABSENT: Absent = { kind: "absent" };

/** Answers what callers ask of one execution: each request touches it, decides, and answers what is durable. */
export class ExecutionService implements ExecutionPort {
  readonly #ports: Ports;
  readonly #deployment: Deployment;
  readonly #alarm: WakeAlarm;
  readonly viewers: Viewers;
  readonly #forks: ForkReceiver;
  #execution: Execution;

  constructor(ports: Ports, deployment: Deployment) {
    this.#ports = ports;
    this.#deployment = deployment;
    this.#alarm = new WakeAlarm(ports.alarm, ports.clock);
    this.viewers = new Viewers(ports, () => this.#execution);
    this.#execution = this.#begin();
    this.#forks = new ForkReceiver({ ports, deployment, alarm: this.#alarm, execution: () => this.#execution });
  }

  #begin(): Execution {
    return new Execution({
      ports: this.#ports,
      deployment: this.#deployment,
      alarm: this.#alarm,
      feed: this.viewers.feed,
      retired: () => (this.#execution = this.#begin()),
    });
  }

  #touch(): Promise<boolean> {
    return touchExecution(() => this.#execution);
  }

  async start(request: StartRequest): Promise<StartAnswer | Refused> {
    // Of several starts in one turn all find nothing stored; the first of them has started it by now.
    const isThere = await touchOrClear(() => this.#execution);
    const exists = isThere || this.#execution.state.started !== undefined;
    const { started } = this.#execution.state;
    if (exists && started?.inputHash !== request.inputHash) {
      return refused("ID_CONFLICT", `Cannot start ${request.workflow} ${request.id} as that id has another input.`);
    }
    if (!exists) {
      const definition = definitionOf(findWorkflow(this.#deployment, request.workflow, request.version));
      if (definition === undefined) {
        return refused("NOT_CONFIGURED", `Cannot start ${request.workflow} as this object does not have it yet.`);
      }
      const entry = startedEntry(request, { execution: this.#execution, deployment: this.#deployment, definition });
      this.#forks.discardLeftovers();
      this.#execution.take([entry, ...endBeforeStart(request, entry.at)]);
      const view = await this.#execution.committed(() => this.#view());
      if (request.waitMs === 0) return { kind: "started", created: true, view };
    }
    const adopted = exists && started?.parent?.key !== request.parent?.key;
    if (exists && !adopted && request.cancel !== undefined) {
      const { reason } = request.cancel;
      const answer = await this.command({ command: "cancel", reason });
      if (answer.kind === "refused" && answer.code !== "EXECUTION_ENDED") return answer;
    }
    await this.#until(() => this.#hasEnded, request.waitMs);
    return { kind: "started", created: !exists, ...(adopted && { adopted }), view: this.#view() };
  }

  async view(): Promise<Found | Absent> {
    return (await this.#touch()) ? { kind: "found", view: this.#view() } : ABSENT;
  }

  async listed(): Promise<Listed | Absent> {
    if (!(await this.#touch())) return ABSENT;
    this.#execution.commit();
    return { kind: "listed", report: reportOf(this.#execution.state) };
  }

  async result(waitMs: number): Promise<Found | Absent> {
    if (!(await this.#touch())) return ABSENT;
    await this.#until(() => this.#hasEnded, waitMs);
    return this.#execution.journal.load() ? { kind: "found", view: this.#view() } : ABSENT;
  }

  async signal(request: SignalRequest): Promise<SignalAnswer | Absent | Refused> {
    if (!(await this.#touch())) return ABSENT;
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
    if (!(await this.#touch())) return ABSENT;
    const open = this.#openCallback(request);
    if (open.kind !== "open") return open;
    const accepted = await this.#accept(request, open.callback);
    if (accepted.kind !== "accepted") return accepted;
    if (!(await this.#touch())) return ABSENT;
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
    if (decision.kind === "refused" || !isFull(journal)) return decision;
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
    if (!(await this.#touch())) return ABSENT;
    const { parentKey } = request;
    if (parentKey !== undefined && parentKey !== this.#execution.state.started?.parent?.key) return ABSENT;
    const decision = decideCommand(this.#execution.state, request, this.#execution.now);
    if (decision.kind === "entries") this.#execution.take(decision.entries);
    this.#execution.commit();
    if (decision.kind === "refused") return decision;
    return { kind: "done", changed: decision.kind === "entries", view: this.#view() };
  }

  async journal(request: PageRequest): Promise<JournalPage | Absent> {
    if (!(await this.#touch())) return ABSENT;
    this.#execution.commit();
    return journalPage(this.#execution.journal, request);
  }

  async value(entry: number): Promise<LargeValue | Absent> {
    if (!(await this.#touch())) return ABSENT;
    this.#execution.commit();
    const value = this.#execution.journal.blob(entry);
    return { kind: "value", ...(value !== undefined && { value }) };
  }

  events(request: EventsRequest) {
    return this.viewers.events(request);
  }

  async purge(): Promise<Purged | Absent | Refused> {
    if (!(await this.#touch())) return ABSENT;
    return await deleteExecution(
      () => this.#execution,
      (isSo, waitMs) => this.#until(isSo, waitMs),
    );
  }

  async watch({ by }: WatchRequest): Promise<WatchAnswer | Absent | WatchRefused> {
    if (!(await this.#touch())) return ABSENT;
    return watch(this.#execution, by);
  }

  async told(request: ToldRequest): Promise<{ readonly kind: "heard" } | Absent | Refused> {
    return (await this.#touch()) ? await hear(this.#execution, request) : ABSENT;
  }

  async cut(request: CutRequest) {
    if (!(await this.#touch())) return ABSENT;
    this.#execution.commit();
    return cutJournal(this.#execution.journal, request);
  }

  async copy(request: CopyRequest) {
    const { journal } = this.#execution;
    const isOriginal = journal.load() && journal.state.started?.at === request.startedAt;
    return isOriginal ? copyPage(this.#ports.storage, request) : ABSENT;
  }

  async fork(request: ForkRequest, copy: CopyJournal) {
    return await this.#forks.fork(request, copy);
  }

  /** The alarm rang that had been set for `scheduledFor`, if the platform tells. */
  async wake(scheduledFor?: number): Promise<void> {
    if (!(await this.#forks.wake())) await this.#execution.wake(scheduledFor);
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

  async #until(isSo: () => boolean, waitMs: number): Promise<void> {
    const until = this.#execution.now + waitMs;
    const isOver = () => !this.#execution.journal.load() || isSo();
    while (!isOver() && this.#execution.now < until) {
      const { waiters } = this.#execution;
      // Another execution takes the place of one whose memory was given up, and tells its own waiters.
      await waiters.until(() => this.#execution.waiters !== waiters || isOver(), this.#ports.clock, until);
    }
  }

  #view(): ExecutionView {
    this.#execution.commit();
    return viewOf(this.#execution);
  }
}

function refused(code: Refused["code"], message: string): Refused {
  return { kind: "refused", code, message };
}
