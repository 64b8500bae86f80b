import { checkAttributes, mergeAttributes, type Attributes } from "../journal/attributes.ts";
import type { Entry } from "../journal/entry.ts";
import { encodeValue } from "../journal/value.ts";
import { checkPatchId } from "../steps/names.ts";
import { checkOutsideStep } from "./caller.ts";
import { checkJournalSize } from "./refusals.ts";
import type { Run, RunHost } from "./run.ts";

export interface NotesHost extends Pick<RunHost, "journal" | "activity" | "now" | "kick"> {
  readonly run: Run;
  readonly maximumValueBytes: number;
}

/**
 * What the code of one run notes without waiting for it, and what takes no operation number: its progress, its
 * attributes, and the sides of patches that it takes. A call that an earlier run has made is not journaled again; one
 * that is refused is refused on every replay, and counts for nothing.
 */
export class Notes {
  readonly #host: NotesHost;
  readonly #patches = new Map<string, boolean>();
  /** As the code has set them so far, which on replay is not what the journal ends with. */
  #attributes: Attributes;
  #progressCalls = 0;
  #attributeCalls = 0;

  constructor(host: NotesHost) {
    this.#host = host;
    this.#attributes = Object.freeze({ ...host.journal.state.started?.attributes });
  }

  get attributes(): Attributes {
    return this.#attributes;
  }

  /** @throws ValueFault for what cannot be journaled; OperationRefused with code `JOURNAL_LIMIT` */
  setProgress(value: unknown): void {
    const { journal, activity, maximumValueBytes } = this.#host;
    checkOutsideStep("setProgress()", activity());
    const text = encodeValue(value, maximumValueBytes);
    const isRecorded = this.#progressCalls < journal.state.progressEntries;
    if (!isRecorded) this.#note((at) => ({ type: "progress", value: journal.encoded(text), at }));
    this.#progressCalls += 1;
  }

  /**
   * @throws TypeError or RangeError that names the attribute, the rule and the value; OperationRefused with code
   * `JOURNAL_LIMIT`
   */
  setAttributes(given: unknown): void {
    const { journal, activity } = this.#host;
    checkOutsideStep("setAttributes()", activity());
    const values = checkAttributes(given);
    const merged = mergeAttributes(this.#attributes, values);
    const isRecorded = this.#attributeCalls < journal.state.attributeEntries;
    if (!isRecorded) this.#note((at) => ({ type: "attributes", values, at }));
    this.#attributes = merged;
    this.#attributeCalls += 1;
  }

  /**
   * True where the code goes on from here for the first time, or did so on its new side. The first call with an id
   * decides for the execution: a `false` needs no entry, as the recorded operations that were still to come then are so
   * on every replay.
   *
   * @throws TypeError or RangeError that names the rule and the value; OperationRefused with code `JOURNAL_LIMIT`
   */
  patched(given: unknown): boolean {
    const { journal, activity, run } = this.#host;
    checkOutsideStep("patched()", activity());
    const id = checkPatchId(given);
    const isRecorded = journal.state.patches.has(id);
    const isNew = run.hasAskedAll && journal.state.ending === undefined;
    const decided = this.#patches.get(id) ?? (isRecorded || isNew);
    if (decided && !isRecorded) this.#note((at) => ({ type: "patched", id, at }));
    this.#patches.set(id, decided);
    return decided;
  }

  /** Throws where the journal is full: the call was not made then. */
  #note(entry: (at: number) => Entry): void {
    const { journal, activity, now, kick, run } = this.#host;
    if (run.isOver) return;
    checkJournalSize(journal);
    // Once the end is journaled there is nothing new to say on the way back to it.
    if (journal.state.ending !== undefined) return;
    journal.append(entry(now()));
    if (activity() !== "delivery") kick();
  }
}
