import { LIMITS } from "../limits.ts";
import type { EntryForm } from "./entry-document.ts";
import type { Feed, Viewer } from "./feed.ts";
import type { Clock } from "./ports.ts";

/** Keeps a connection alive on which nothing happens. The first one makes the headers leave at once. */
const COMMENT = ":\n\n";

export interface EventStreamTerms {
  readonly feed: Feed;
  readonly clock: Clock;
  /** Number of the first entry wanted. */
  readonly from: number;
  readonly form: EntryForm;
}

/**
 * The entries of a journal as server-sent events, to its last one. Nothing is made before it is asked for: what the
 * reader has not taken stays in the journal. One that takes nothing for long is dropped, so that it does not keep the
 * object awake.
 */
export function eventStream(terms: EventStreamTerms): ReadableStream<Uint8Array> {
  const viewer = new EventViewer(terms);
  return new ReadableStream({
    type: "bytes",
    start: (controller) => viewer.begin(controller),
    pull: () => viewer.serve(),
    cancel: () => viewer.end(),
  });
}

class EventViewer implements Viewer {
  readonly #terms: EventStreamTerms;
  readonly #encoder = new TextEncoder();
  #controller: ReadableByteStreamController | undefined;
  #next: number;
  #commentAt: number;
  #isGone = false;
  #unwatch = (): void => {};
  #withdrawDrop = (): void => {};
  /** Resolves what waits for something to see. */
  #wakeUp = (): void => {};

  constructor(terms: EventStreamTerms) {
    this.#terms = terms;
    this.#next = terms.from;
    this.#commentAt = terms.clock.now();
  }

  begin(controller: ReadableByteStreamController): void {
    this.#controller = controller;
    this.#unwatch = this.#terms.feed.watch(this);
    this.#awaitReader();
  }

  see(): void {
    this.#wakeUp();
  }

  leave(): void {
    this.#isGone = true;
    this.#wakeUp();
  }

  end(): void {
    this.#isGone = true;
    this.#unwatch();
    this.#withdrawDrop();
    this.#wakeUp();
  }

  /** The reader wants more: resolves when it got something, or the end. */
  async serve(): Promise<void> {
    this.#withdrawDrop();
    for (;;) {
      if (this.#isGone) return this.#close();
      const events = this.#events();
      if (events === "" && this.#terms.feed.isOver(this.#next)) return this.#close();
      const text = this.#comment() + events;
      if (text !== "") return this.#send(text);
      await this.#somethingToSee();
    }
  }

  #comment(): string {
    const { clock } = this.#terms;
    if (clock.now() < this.#commentAt) return "";
    this.#commentAt = clock.now() + LIMITS.eventCommentMs;
    return COMMENT;
  }

  #events(): string {
    let text = "";
    for (const { number, type, text: data } of this.#terms.feed.entries(this.#next, this.#terms.form)) {
      text += `id: ${number}\nevent: ${type}\ndata: ${data}\n\n`;
      this.#next = number + 1;
      if (text.length >= LIMITS.eventChunkLength) break;
    }
    return text;
  }

  #send(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
    this.#awaitReader();
  }

  /** Whoever asked last has got something: the next question must not be long in coming. */
  #awaitReader(): void {
    const { clock } = this.#terms;
    this.#withdrawDrop = clock.timer(clock.now() + LIMITS.slowReaderMs, () => {
      const why = `Cannot go on as events must be read within ${LIMITS.slowReaderMs / 1_000} s`;
      this.#controller?.error(new Error(`${why}: the next one is entry ${this.#next}`));
      this.end();
    });
  }

  #close(): void {
    this.end();
    this.#controller?.close();
    // A reader that brought its own buffer waits for it until it is answered.
    this.#controller?.byobRequest?.respond(0);
  }

  async #somethingToSee(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    const withdraw = this.#terms.clock.timer(this.#commentAt, resolve);
    await promise;
    withdraw();
  }
}
