import type { Started } from "../journal/entry.ts";
import type { ForkedFrom } from "../journal/fork-entry.ts";
import { operationKey } from "../journal/key-owner.ts";
import type { Attempted } from "../journal/state.ts";
import type { Abort } from "./abort.ts";
import { logOf } from "./context.ts";
import type { Ports } from "./ports.ts";
import type { Log, StepContext } from "./workflow-context.ts";

/** What an attempt's context is made from. */
export interface AttemptSource {
  readonly attempted: Attempted;
  readonly started: Started;
  readonly forked: ForkedFrom | undefined;
  readonly abort: Abort;
  readonly ports: Pick<Ports, "log">;
}

/**
 * What the function of one attempt is given. Everything but the count of attempts is made when it is asked for, because
 * most steps use nothing of it: a key costs a hash, a signal a controller. Every member works when destructured.
 */
export class AttemptContext implements StepContext {
  readonly attempt: number;
  /** Only where an attempt before has failed. */
  declare readonly lastFailure?: NonNullable<StepContext["lastFailure"]>;
  readonly #source: AttemptSource;

  constructor(source: AttemptSource) {
    const { attempts, lastFailure } = source.attempted;
    this.attempt = attempts;
    if (lastFailure !== undefined) this.lastFailure = { name: lastFailure.name, message: lastFailure.message };
    this.#source = source;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#source.abort.signal;
  }

  get idempotencyKey(): string {
    return this.#keyOf("");
  }

  get key(): (label: string) => string {
    return (label) => this.#keyOf(` ${label}`);
  }

  get log(): Log {
    const { attempted, started, ports } = this.#source;
    const { workflow, id: execution } = started;
    const fields = { workflow, execution, [attempted.kind]: attempted.name, attempt: this.attempt };
    return logOf((level, message, more) => ports.log(level, message, { ...fields, ...more }));
  }

  #keyOf(suffix: string): string {
    const { attempted } = this.#source;
    return operationKey(this.#source, `${attempted.kind} ${attempted.op}${suffix}`);
  }
}
