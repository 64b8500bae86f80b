import type { AttemptName, AttemptWatch } from "../../execution/ports.ts";
import type { MemoryObject } from "../memory-object.ts";
import type { HeldOutcomes } from "./held-outcomes.ts";

/** The calls of the function of one step, or of its rollback. */
export interface Calls {
  readonly attempt: AttemptName;
  /** How many rows the journal had at each call. */
  readonly rowsAt: readonly number[];
}

/** Every call of a step's function, as the engine made it: what journals say of them is held against this. */
export class AttemptLog {
  readonly #calls = new Map<MemoryObject, Map<string, { readonly attempt: AttemptName; readonly rowsAt: number[] }>>();
  readonly #held: HeldOutcomes;
  /** Names of steps, in the order of their first calls. */
  readonly names = new Set<string>();

  constructor(held: HeldOutcomes) {
    this.#held = held;
  }

  callsOf(object: MemoryObject): readonly Calls[] {
    return [...(this.#calls.get(object)?.values() ?? [])];
  }

  readonly watch = (object: MemoryObject): AttemptWatch => ({
    started: (attempt) => this.#add(object, attempt),
    ended: (attempt) => this.#held.hold(attempt),
  });

  #add(object: MemoryObject, attempt: AttemptName): void {
    this.names.add(attempt.name);
    const calls = this.#calls.get(object) ?? new Map<string, { attempt: AttemptName; rowsAt: number[] }>();
    this.#calls.set(object, calls);
    const key = `${attempt.kind} ${attempt.op}`;
    const known = calls.get(key);
    if (known === undefined) calls.set(key, { attempt, rowsAt: [object.rows.length] });
    else known.rowsAt.push(object.rows.length);
  }
}
