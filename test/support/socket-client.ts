import type { ServedApp } from "./served-app.ts";

/** What came through a WebSocket: entries, and answers to what was sent. */
export interface Frame {
  readonly entry?: number;
  readonly type?: string;
  readonly id?: string;
  readonly status?: number;
  readonly body?: { readonly code?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** A viewer's end of a WebSocket. */
export class SocketClient {
  readonly frames: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      // The cast: what the tests compare.
      this.frames.push((data === "pong" ? { pong: true } : JSON.parse(String(data))) as Frame);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
    });
    socket.accept();
  }

  static async open(
    app: ServedApp,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SocketClient> {
    const { status, webSocket } = await app.open(path, { headers: { upgrade: "websocket", ...headers } });
    if (webSocket === null) throw new Error(`The answer was ${status}, and no WebSocket.`);
    return new SocketClient(webSocket);
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === "string" || frame instanceof ArrayBuffer ? frame : JSON.stringify(frame));
  }

  close(): void {
    this.#socket.close(1_000);
  }

  get entries(): readonly number[] {
    return this.frames.map(({ entry }) => entry).filter((entry) => entry !== undefined);
  }

  /** What a frame is answered with. */
  async ask(frame: Readonly<Record<string, unknown>>, id: string = crypto.randomUUID()): Promise<Frame> {
    this.send({ id, ...frame });
    return await this.frame((candidate) => candidate.id === id);
  }

  async frame(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(isWanted);
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`Closed with ${this.closed.code} ${this.closed.reason}`);
      await scheduler.wait(5);
    }
  }

  async ended(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === undefined) await scheduler.wait(5);
    return this.closed;
  }
}
