import type { Entry } from "../journal/entry.ts";
import type { ExecutionSpan } from "../journal/span.ts";
import { beginSpans, foldSpans, type SpanFold } from "../journal/span-fold.ts";
import type { State } from "../journal/state.ts";
import type { Deployment } from "./deployment.ts";
import type { Journal } from "./journal.ts";
import type { Ports } from "./ports.ts";

interface ListenerParts {
  readonly deployment: Deployment;
  readonly ports: Ports;
}

/** Tells the deployment's listener what was committed. Its failures are logged: it watches, and must not disturb. */
export function tellListener(
  committed: readonly Entry[],
  { started }: State,
  { deployment, ports }: ListenerParts,
): void {
  const { onEvent } = deployment;
  if (onEvent === undefined || started === undefined) return;
  const execution = { id: started.id, workflow: started.workflow };
  for (const entry of committed) {
    const told = async () => await onEvent(entry, execution, ports.env);
    told().catch((error: unknown) => ports.log("error", "onEvent failed.", { ...execution, error }));
  }
}

/** Tells the listeners of a deployment what was committed, and the spans that are over by it: each once. */
export class Listeners {
  readonly #journal: Journal;
  readonly #parts: ListenerParts;
  /** What began in the life of an earlier object stands in the journal: it is read once, with the first commit. */
  #spans: SpanFold | undefined;

  constructor(journal: Journal, parts: ListenerParts) {
    this.#journal = journal;
    this.#parts = parts;
  }

  tell(committed: readonly Entry[]): void {
    const { deployment, ports } = this.#parts;
    tellListener(committed, this.#journal.state, this.#parts);
    const { onSpan } = deployment;
    if (onSpan === undefined) return;
    const first = this.#journal.state.entries - committed.length;
    if (this.#spans === undefined && first > 0) {
      for (const { number, entry } of this.#journal.entries(0)) if (number < first) this.#spansBy(entry);
    }
    for (const span of committed.flatMap((entry) => this.#spansBy(entry))) {
      const told = async () => await onSpan(span, ports.env);
      told().catch((error: unknown) => ports.log("error", "onSpan failed.", { ...span.attributes, error }));
    }
  }

  #spansBy(entry: Entry): readonly ExecutionSpan[] {
    if (entry.type === "started") this.#spans = beginSpans(entry);
    return this.#spans === undefined ? [] : foldSpans(this.#spans, entry);
  }
}
