/** One entry as `GET …/journal` gives it: `type` and `at` always, the rest where the type has it. */
export interface JournalEntry {
  readonly type: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The number of the operation. Only the first entry of an operation carries its name and kind. */
  readonly op?: number;
  readonly name?: string;
  readonly kind?: string;
  readonly attempt?: number;
  readonly failure?: { readonly name: string; readonly message: string };
  /** When the next attempt starts, and which rule set that time. */
  readonly retryAt?: number;
  readonly because?: string;
  /** Which limit ended the step. */
  readonly spent?: string;
  /** When a sleep ends or a wait times out. */
  readonly dueAt?: number;
  readonly value?: unknown;
  readonly code?: string;
  readonly message?: string;
  /** The operations that an entry about several of them is about. */
  readonly ops?: readonly unknown[];
}

/** The names of the operations, with their occurrence (`send-mail#2`), by operation number. */
export function operationNames(entries: readonly JournalEntry[]): ReadonlyMap<number, string> {
  const namesByOperation = new Map<number, string>();
  for (const { op, name } of entries) {
    if (op !== undefined && name !== undefined) namesByOperation.set(op, name);
  }
  return namesByOperation;
}
