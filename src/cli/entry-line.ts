import type { JournalEntry } from "../client/types.ts";
import { describeEntry } from "./describe-entry.ts";
import type { Terminal } from "./terminal.ts";

const TIME_WIDTH = 10;
const NAME_WIDTH = 20;

/** Prints entries one by one; the first entry of each operation gives the later ones its name. */
export class EntryLines {
  readonly #terminal: Terminal;
  readonly #namesByOperation = new Map<unknown, string>();
  #startedAt: number | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Time since the first entry, operation, attempt, what happened. */
  print(entry: JournalEntry): void {
    const { op, name, kind, attempt, at } = entry;
    this.#startedAt ??= at;
    if (op !== undefined && typeof name === "string" && kind !== undefined) this.#namesByOperation.set(op, name);
    const { text, tone } = describeEntry(entry);
    const time = `${((at - this.#startedAt) / 1_000).toFixed(3)}s`.padStart(TIME_WIDTH);
    const operation = (this.#namesByOperation.get(op) ?? "").padEnd(NAME_WIDTH);
    const tried = op === undefined || typeof attempt !== "number" ? "" : `attempt ${attempt}: `;
    this.#terminal.line(`${time}  ${operation}  ${tried}${text}`, tone);
  }
}
