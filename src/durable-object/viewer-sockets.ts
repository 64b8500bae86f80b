import type { Feed } from "../execution/feed.ts";
import type { Clock } from "../execution/ports.ts";
import { openWindow, type ReadWindow } from "../execution/read-window.ts";
import type { SocketRequest } from "../execution/socket-request.ts";
import type { ReadFrame, ViewerTerms } from "../execution/viewer-frame.ts";
import type { ExecutionPort } from "../execution/wire.ts";
import { SocketViewer } from "./socket-viewer.ts";

/** What is kept with a WebSocket while its object is out of memory. */
export interface SocketAttachment {
  readonly terms: ViewerTerms;
  readonly window: ReadWindow;
}

export interface SocketParts {
  readonly ctx: DurableObjectState;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly port: ExecutionPort;
  readonly readFrame: ReadFrame;
  /** Brings the journal into memory, and tells the viewers what can be seen. */
  readonly load: () => Promise<void>;
}

/**
 * The WebSockets of those who watch one execution. The platform keeps them while the object is out of memory, so a
 * viewer of an execution that rests costs nothing; they are found again when it is constructed.
 */
export class ViewerSockets {
  readonly #parts: SocketParts;
  readonly #viewers = new Map<WebSocket, SocketViewer>();

  constructor(parts: SocketParts) {
    this.#parts = parts;
    for (const socket of parts.ctx.getWebSockets()) this.#begin(socket);
  }

  /** The other end of a new WebSocket. Whether there is something to watch has been asked before. */
  accept({ from, protocol, ...terms }: SocketRequest): Response {
    const { ctx } = this.#parts;
    const { 0: outer, 1: inner } = new WebSocketPair();
    ctx.acceptWebSocket(inner);
    // Answered by the platform itself, without the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    inner.serializeAttachment({ terms, window: openWindow(from) } satisfies SocketAttachment);
    this.#begin(inner);
    const headers = protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
    return new Response(null, { status: 101, webSocket: outer, headers });
  }

  async message(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    await this.#viewers.get(socket)?.take(frame);
  }

  closed(socket: WebSocket): void {
    this.#viewers.get(socket)?.end();
    this.#viewers.delete(socket);
    // Without the answer to its closing frame, which older compatibility dates leave to us, it would stay half open.
    if (socket.readyState !== WebSocket.CLOSED) socket.close(1_000);
  }

  #begin(socket: WebSocket): void {
    this.#viewers.set(socket, new SocketViewer(socket, this.#parts));
  }
}
