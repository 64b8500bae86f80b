import { signal } from "@preact/signals";
import type { ShownEntry } from "../model/history.ts";
import { emptyPast, takeEntry } from "../model/past.ts";
import { ask, type RequestRefused, refusalOf } from "./ask.ts";

/**
 * `live`: entries come as they are journaled. `polling`: the WebSocket does not work, and the journal is asked for.
 * `over`: nothing comes any more. `disconnected`: nobody answers.
 */
export type Connection = "connecting" | "live" | "polling" | "over" | "disconnected";

const POLL_MS = 2_000;
const RECONNECT_FIRST_MS = 500;
const RECONNECT_MS = 15_000;
/** Acknowledgements are sent for what came together. */
const ACKNOWLEDGE_MS = 200;
/** What is not there may still be started, and may never be. */
const POLL_ABSENT_MS = 15_000;
const PAGE_ENTRIES = 1_000;
/** The code by which the Worker closes the WebSocket of an execution that has ended. */
const OVER = 1_000;
/** A handshake that nobody answers would be waited for by the browser for minutes. */
const HANDSHAKE_MS = 5_000;
/** Where nothing comes it is asked whether somebody is still there. */
const PING_MS = 10_000;

/** The journal of one execution, and what its entries make of it, as long as somebody looks at it. */
export class LiveJournal {
  readonly connection = signal<Connection>("connecting");
  /** Why there is nothing to show. */
  readonly refusal = signal<RequestRefused | undefined>(undefined);
  /** Counts the changes of `entries` and `past`, which are changed in place. */
  readonly version = signal(0);
  readonly entries: ShownEntry[] = [];
  readonly past = emptyPast();
  readonly #path: string;
  readonly #socketUrl: string;
  #socket: WebSocket | undefined;
  #handshakeTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #wasHeard = true;
  #isStopped = false;
  #failures = 0;
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #acknowledgeTimer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(path: string, socketUrl: string) {
    this.#path = path;
    this.#socketUrl = socketUrl;
  }

  start(): void {
    this.#connect();
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS);
    addEventListener("offline", this.#goOffline);
  }

  readonly #goOffline = () => this.doubt();

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#pingTimer);
    clearTimeout(this.#handshakeTimer);
    removeEventListener("offline", this.#goOffline);
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#acknowledgeTimer);
    cancelAnimationFrame(this.#frame);
    this.#socket?.close();
  }

  /** Nobody answers, although the connection seems to be there: it may be lost without anybody telling. */
  doubt(): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) this.#giveUp(socket);
  }

  /** A lost connection may take a minute to close: nobody waits for that. */
  #giveUp(socket: WebSocket): void {
    this.#socket = undefined;
    socket.close();
    this.#reconnectLater();
  }

  #connect(): void {
    const socket = new WebSocket(`${this.#socketUrl}?from=${this.entries.length}`, "stepwell");
    const isCurrent = () => this.#socket === socket && !this.#isStopped;
    this.#socket = socket;
    clearTimeout(this.#handshakeTimer);
    this.#handshakeTimer = setTimeout(() => {
      if (isCurrent() && socket.readyState === WebSocket.CONNECTING) this.#giveUp(socket);
    }, HANDSHAKE_MS);
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.#wasHeard = true;
      this.#say("live");
    });
    socket.addEventListener("message", ({ data }) => {
      // The cast: the messages of this WebSocket are texts.
      if (isCurrent()) this.#hear(data as string);
    });
    socket.addEventListener("close", ({ code }) => {
      if (!isCurrent()) return;
      if (code === OVER && this.past.state.end !== undefined) return this.#say("over");
      this.#reconnectLater();
    });
  }

  /** What is answered by the platform itself tells that the connection is there, and wakes nobody. */
  #ping(): void {
    if (!this.#isConnected()) return;
    if (!this.#wasHeard) return this.doubt();
    this.#wasHeard = false;
    this.#socket?.send("ping");
  }

  /** Until the WebSocket is back the journal is asked for, which also tells why it is gone. */
  #reconnectLater(): void {
    const delay = Math.min(RECONNECT_MS, RECONNECT_FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    clearTimeout(this.#reconnectTimer);
    this.#reconnectTimer = setTimeout(() => this.#connect(), delay);
    clearTimeout(this.#pollTimer);
    void this.#poll();
  }

  async #poll(): Promise<void> {
    if (this.#isStopped || this.#isConnected() || this.connection.peek() === "over") return;
    try {
      await this.#readPages();
      this.refusal.value = undefined;
      if (!this.#isConnected()) this.#say(this.past.state.end === undefined ? "polling" : "over");
    } catch (fault) {
      const refusal = refusalOf(fault);
      if (this.entries.length === 0 || refusal.status === 404) this.refusal.value = refusal;
      if (!this.#isConnected()) this.#say("disconnected");
    }
    if (this.#isStopped || this.#isConnected()) return;
    const delay = this.refusal.peek()?.status === 404 ? POLL_ABSENT_MS : POLL_MS;
    this.#pollTimer = setTimeout(() => void this.#poll(), delay);
  }

  async #readPages(): Promise<void> {
    let next: number | null = this.entries.length;
    while (next !== null && !this.#isStopped) {
      const query: string = `from=${next}&limit=${PAGE_ENTRIES}`;
      const page: JournalPage = await ask<JournalPage>(`${this.#path}/journal?${query}`);
      for (const entry of page.entries) this.#take(entry);
      next = page.next;
    }
  }

  #isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #hear(text: string): void {
    this.#wasHeard = true;
    if (text === "pong") return;
    // The cast: all others are entries, and answers, for which nobody waits here.
    const message = JSON.parse(text) as ShownEntry | { readonly status: number };
    if (!("entry" in message)) return;
    this.#take(message);
    this.#acknowledgeTimer ??= setTimeout(() => {
      this.#acknowledgeTimer = undefined;
      if (this.#isConnected()) this.#socket?.send(JSON.stringify({ ack: this.entries.length - 1 }));
    }, ACKNOWLEDGE_MS);
  }

  /** Entries may come by both ways while one takes over from the other. */
  #take(entry: ShownEntry): void {
    if (entry.entry !== this.entries.length) return;
    this.entries.push(entry);
    takeEntry(this.past, entry);
    // Many may come at once: they are drawn together.
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.version.value += 1;
    });
  }

  #say(connection: Connection): void {
    this.connection.value = connection;
    // Where there is no entry yet, what is there has to be drawn as well.
    this.version.value += 1;
  }
}

interface JournalPage {
  readonly entries: readonly ShownEntry[];
  readonly next: number | null;
}
