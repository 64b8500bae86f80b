import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request, as the service got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers one request; `count` numbers those of its path from 1. */
export type Answer = (response: ServerResponse, received: Received, count: number) => void;

/** A real service on the loopback interface. */
export class HttpService {
  readonly received: Received[] = [];
  /** Paths of requests whose connection was closed before the answer was complete. */
  readonly brokenOff: string[] = [];
  readonly #server;
  #answer: Answer = (response) => void response.end();

  private constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<HttpService> {
    const service = new HttpService();
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    // The cast: a server that listens on a port has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what came before. */
  answerWith(answer: Answer): void {
    this.received.length = 0;
    this.brokenOff.length = 0;
    this.#answer = answer;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "/";
    const { method = "", headers } = request;
    const received = { method, path, headers, body: Buffer.concat(chunks) };
    this.received.push(received);
    response.on("close", () => response.writableFinished || this.brokenOff.push(path));
    this.#answer(response, received, this.received.filter((other) => other.path === path).length);
  }
}

/** Answers with a status, headers and a body. */
export function reply(status: number, headers: Record<string, string | string[]> = {}, body: string | Buffer = "") {
  return (response: ServerResponse) => void response.writeHead(status, headers).end(body);
}

/** Breaks the connection off. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
