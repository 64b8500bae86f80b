import type { Reported } from "../journal/report-entry.ts";
import { contentOf, decideReport, reportOf, type Report } from "../journal/report.ts";
import type { State } from "../journal/state.ts";
import { reportAcknowledged, reportFailed } from "../journal/unreported.ts";
import { LIMITS } from "../limits.ts";
import type { Journal } from "./journal.ts";
import type { Directory, Ports } from "./ports.ts";

export interface ReporterParts {
  readonly ports: Pick<Ports, "clock" | "directory">;
  readonly journal: Journal;
  /** Nothing is in memory that works. */
  readonly isAtRest: () => boolean;
  /** Makes durable what was appended: the directory is told nothing else. */
  readonly write: () => void;
  /** An answer came, or none will; what it says stands in the journal. */
  readonly heard: () => void;
  /** Storage failed where nobody has called. */
  readonly failed: (error: unknown) => void;
}

type Answer = { readonly kind: "told" } | { readonly kind: "failed"; readonly thrown: unknown };

/**
 * Tells the directory what becomes of the execution: one report at a time, beside everything else. What it has to know
 * is told until it has acknowledged that; nothing waits for it, and no failure is one of the execution.
 */
export class Reporter {
  readonly #parts: ReporterParts;
  #underWay: { readonly isOwed: boolean; readonly answer: Promise<Answer> } | undefined;
  #isStopped = false;
  #sentUpTo = 0;
  #acknowledgedUpTo = 0;
  #told: string | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #changedAt: number | undefined;
  #withdrawTimer: () => void = () => {};

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  get #state(): State {
    return this.#parts.journal.state;
  }

  get #now(): number {
    return this.#parts.ports.clock.now();
  }

  /** There is a directory. */
  get isUsed(): boolean {
    return this.#parts.ports.directory !== undefined;
  }

  /** A report is under way that the directory has to get. */
  get isOwing(): boolean {
    return this.#underWay?.isOwed === true;
  }

  /** What the alarm has to see to is known to the directory, though the journal does not say so yet. */
  get isAcknowledged(): boolean {
    const { unreported } = this.#state;
    return unreported !== undefined && unreported.entry < this.#acknowledgedUpTo;
  }

  /** What is journaled when the object comes to rest. */
  factsOfRest(): readonly Reported[] {
    const acknowledged = { upTo: this.#acknowledgedUpTo, isFree: this.#parts.journal.isPending };
    return reportAcknowledged(this.#state, acknowledged, this.#now);
  }

  /** What the journal says is taken for known: it is not worth a report at each wake. */
  assumeTold(): void {
    const { isListed, started, unreported } = this.#state;
    if (isListed && started !== undefined && unreported === undefined) this.#told ??= contentOf(reportOf(this.#state));
  }

  /** Tells what there is to tell, now or in a while. */
  tell(isAtRest: boolean): void {
    const { ports } = this.#parts;
    if (ports.directory === undefined || this.#underWay !== undefined || this.#isStopped) return;
    const telling = {
      sentUpTo: this.#sentUpTo,
      acknowledgedUpTo: this.#acknowledgedUpTo,
      told: this.#told,
      toldAt: this.#toldAt,
      changedAt: this.#changedAt,
      isAtRest,
    };
    const decision = decideReport(this.#state, telling, this.#now);
    this.#withdrawTimer();
    this.#changedAt = decision.kind === "later" ? (this.#changedAt ?? this.#now) : undefined;
    if (decision.kind === "now") this.#send(ports.directory, decision.owed);
    if (decision.kind === "later") this.#tellAt(decision.at);
  }

  /** What is told last: that there is no such execution any more. False where the directory could not be reached. */
  async remove(): Promise<boolean> {
    const { directory } = this.#parts.ports;
    const { started } = this.#state;
    if (directory === undefined || started === undefined) return true;
    this.#withdrawTimer();
    // A report that arrived after it would bring it back.
    await this.#underWay?.answer;
    const { workflow, id, createdAt } = reportOf(this.#state);
    const answer = await this.#ask(() => directory.remove({ workflow, id, createdAt }));
    return answer.kind === "told";
  }

  /** Memory is given up: whatever comes back is dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#withdrawTimer();
    this.#underWay = undefined;
  }

  #tellAt(at: number): void {
    const { ports, isAtRest } = this.#parts;
    this.#withdrawTimer = ports.clock.timer(at, () => this.#guard(() => this.tell(isAtRest())));
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#parts.failed(error);
    }
  }

  #send(directory: Directory, isOwed: boolean): void {
    if (this.#parts.journal.isPending) this.#parts.write();
    const report = reportOf(this.#state);
    this.#sentUpTo = report.sequence;
    if (!isOwed) this.#toldAt = this.#now;
    const sent = { isOwed, answer: this.#ask(() => directory.report(report)) };
    this.#underWay = sent;
    void sent.answer.then((answer) => {
      // None after memory was given up.
      if (this.#underWay !== sent) return;
      this.#underWay = undefined;
      this.#guard(() => this.#take(report, isOwed, answer));
    });
  }

  #take(report: Report, isOwed: boolean, answer: Answer): void {
    const { journal, heard } = this.#parts;
    // What need not be told is not told again, should it be lost.
    if (answer.kind === "told" || !isOwed) this.#told = contentOf(report);
    if (answer.kind === "told") this.#acknowledgedUpTo = report.sequence;
    else if (isOwed) journal.append(...reportFailed(this.#state, answer.thrown, this.#now));
    heard();
  }

  /** What comes of a call, at the latest when the directory has had its time. */
  async #ask(call: () => Promise<void>): Promise<Answer> {
    const { clock } = this.#parts.ports;
    const { promise: late, resolve } = Promise.withResolvers<Answer>();
    const thrown = new Error(`No answer came within ${LIMITS.reportMs} ms.`);
    const withdraw = clock.timer(this.#now + LIMITS.reportMs, () => resolve({ kind: "failed", thrown }));
    const answered = call().then(
      (): Answer => ({ kind: "told" }),
      (reason: unknown): Answer => ({ kind: "failed", thrown: reason }),
    );
    const answer = await Promise.race([answered, late]);
    withdraw();
    return answer;
  }
}
