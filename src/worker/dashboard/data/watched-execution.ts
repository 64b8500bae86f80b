import { effect, signal } from "@preact/signals";
import type { ViewDocument, WorkflowDocument } from "../../openapi/answers.ts";
import { ask, refusalOf } from "./ask.ts";
import { LiveJournal } from "./live-journal.ts";
import { settings } from "./place.ts";

export type View = ViewDocument;
export type Workflow = WorkflowDocument;

/** The view says what the journal does not: it is asked for when the journal has grown, and not for each entry. */
const VIEW_DELAY_MS = 150;

/** An execution that somebody looks at. */
export class WatchedExecution {
  readonly workflow: string;
  readonly id: string;
  /** Below the path of the routes. */
  readonly path: string;
  readonly journal: LiveJournal;
  readonly view = signal<View | undefined>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;

  constructor(workflow: string, id: string) {
    this.workflow = workflow;
    this.id = id;
    this.path = `/v1/workflows/${workflow}/executions/${encodeURIComponent(id)}`;
    const socketUrl = new URL(`${settings.prefix}${this.path}/events`, location.href);
    socketUrl.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.journal = new LiveJournal(this.path, socketUrl.href);
  }

  start(): void {
    this.journal.start();
    this.#stop = effect(() => {
      void this.journal.version.value;
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.look();
      }, VIEW_DELAY_MS);
    });
  }

  stop(): void {
    this.#stop?.();
    clearTimeout(this.#timer);
    this.journal.stop();
  }

  /** Asks for the view. */
  async look(): Promise<void> {
    try {
      this.view.value = await ask<View>(this.path);
    } catch (fault) {
      // What is shown of it stays; the journal's connection says that nobody answers.
      const refusal = refusalOf(fault);
      if (refusal.status === 0) this.journal.doubt();
      else this.journal.refusal.value = refusal;
    }
  }
}
