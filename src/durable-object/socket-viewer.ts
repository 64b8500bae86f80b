import type { Viewer } from "../execution/feed.ts";
import { FrameRate } from "../execution/frame-rate.ts";
import { acknowledged, answerSent, entrySent, unreadBytes, type ReadWindow } from "../execution/read-window.ts";
import type { ViewerFrame, ViewerTerms } from "../execution/viewer-frame.ts";
import { utf8Length } from "../journal/value-text.ts";
import { LIMITS } from "../limits.ts";
import type { SocketAttachment, SocketParts } from "./viewer-sockets.ts";

/** Why a WebSocket is closed: codes from 4000 on are for applications. */
const CLOSE = {
  over: [1_000, "The execution has ended."],
  gone: [1_001, "The execution is gone."],
  tooManyFrames: [1_008, "Too many frames were sent."],
  slow: [4_008, "Entries must be read and acknowledged; come back with ?from= to go on."],
} as const satisfies Readonly<Record<string, readonly [code: number, reason: string]>>;

type Request = Extract<ViewerFrame, { readonly kind: "request" }>;

/** One WebSocket of somebody who watches an execution, and may command it. */
export class SocketViewer implements Viewer {
  readonly #socket: WebSocket;
  readonly #parts: SocketParts;
  readonly #terms: ViewerTerms;
  readonly #unwatch: () => void;
  readonly #rate: FrameRate;
  #window: ReadWindow;
  /** Requests are answered one after the other, so that signals arrive in their order. */
  #answers: Promise<void> = Promise.resolve();
  #inFlight = 0;
  #withdrawDrop: (() => void) | undefined;

  constructor(socket: WebSocket, parts: SocketParts) {
    // The cast: whoever accepted the WebSocket attached it.
    const { terms, window } = socket.deserializeAttachment() as SocketAttachment;
    this.#socket = socket;
    this.#parts = parts;
    this.#terms = terms;
    this.#window = window;
    this.#rate = new FrameRate(parts.clock);
    this.#unwatch = parts.feed.watch(this);
  }

  see(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const isAhead = this.#sendEntries();
    if (!isAhead) this.#forgetDrop();
    else this.#withdrawDrop ??= this.#dropLater();
    if (this.#inFlight === 0 && this.#parts.feed.isOver(this.#window.next)) this.#close("over");
  }

  leave(): void {
    this.#close("gone");
  }

  end(): void {
    this.#unwatch();
    this.#forgetDrop();
  }

  /** The viewer sent a frame. */
  async take(data: string | ArrayBuffer): Promise<void> {
    if (!this.#rate.countFrame()) return this.#close("tooManyFrames");
    const isReady = this.#rate.mayCommand && this.#inFlight < LIMITS.framesInFlight;
    const frame = this.#parts.readFrame(data, this.#terms, isReady ? undefined : TOO_MANY);
    switch (frame.kind) {
      case "acknowledgement":
        this.#window = acknowledged(this.#window, frame.entry);
        this.#forgetDrop();
        this.#keep();
        // The next entries may have waited for this, while the object was out of memory.
        return await this.#parts.load();
      case "refused":
        return this.#sendAnswer(frame.answer);
      case "request":
        this.#rate.countCommand();
        this.#inFlight += 1;
        return await this.#answerInTurn(frame);
    }
  }

  #answerInTurn(request: Request): Promise<void> {
    const answer = () => this.#answer(request);
    // One that failed holds none of the next up.
    this.#answers = this.#answers.then(answer, answer);
    return this.#answers;
  }

  async #answer({ answer }: Request): Promise<void> {
    try {
      this.#sendAnswer(await answer(this.#parts.port));
    } finally {
      this.#inFlight -= 1;
      this.#parts.feed.look();
    }
  }

  /** True where the viewer would have to acknowledge something first. */
  #sendEntries(): boolean {
    const { feed } = this.#parts;
    const { next } = this.#window;
    let isAhead = false;
    for (const { number, text } of feed.entries(next, this.#terms)) {
      isAhead = unreadBytes(this.#window) >= this.#allowance();
      if (isAhead) break;
      this.#socket.send(text);
      this.#window = entrySent(this.#window, number, utf8Length(text));
    }
    if (this.#window.next !== next) this.#keep();
    return isAhead;
  }

  #sendAnswer(text: string): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // Who asks without reading must not be answered for ever.
    if (unreadBytes(this.#window) >= 2 * this.#allowance()) return this.#close("slow");
    this.#socket.send(text);
    this.#window = answerSent(this.#window, utf8Length(text));
    this.#keep();
  }

  #allowance(): number {
    return Math.min(LIMITS.unacknowledgedBytes, LIMITS.unacknowledgedBytesOfAll / this.#parts.feed.viewers);
  }

  #keep(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.serializeAttachment({ terms: this.#terms, window: this.#window } satisfies SocketAttachment);
  }

  #dropLater(): () => void {
    const { clock } = this.#parts;
    return clock.timer(clock.now() + LIMITS.slowReaderMs, () => this.#close("slow"));
  }

  #forgetDrop(): void {
    this.#withdrawDrop?.();
    this.#withdrawDrop = undefined;
  }

  #close(why: keyof typeof CLOSE): void {
    this.end();
    const [code, reason] = CLOSE[why];
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code, reason);
  }
}

const TOO_MANY = {
  code: "FRAME_LIMIT",
  message:
    `Cannot take the command as there must not be more than ${LIMITS.commandsPerWindow} in ` +
    `${LIMITS.frameWindowMs / 1_000} s, nor ${LIMITS.framesInFlight} without an answer`,
} as const;
