import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hit, Ledger } from "../../examples/flaky-service.ts";
import type { Draw } from "../support/seeded-draw.ts";

export interface Chat {
  readonly url: string;
  readonly ledgers: () => readonly Ledger[];
  readonly close: () => Promise<void>;
}

export interface ChatOptions {
  readonly draw: Draw;
  /** Somebody has read the URL in a message, which may have come before. */
  readonly heardOf: (url: string) => void;
}

const PATH = "/chat";
/** The examples write the URL of a callback behind `#`. */
const CALLBACK = /#(\S+)$/;
/** One message in so many is refused. */
const REFUSED_ONE_IN = 8;

/** A chat in which people are asked for answers. It counts as the flaky service does. */
export async function startChat({ draw, heardOf }: ChatOptions): Promise<Chat> {
  const hitsByKey = new Map<string, Hit[]>();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    // The cast: what the example posts.
    const { text } = JSON.parse(await textOf(request)) as { readonly text: string };
    const key = String(request.headers["idempotency-key"]);
    const isRefused = draw(1, REFUSED_ONE_IN) === 1;
    const hits = hitsByKey.get(key) ?? [];
    hitsByKey.set(key, [...hits, { at: Date.now(), answer: isRefused ? "503" : "200", early: false }]);
    response.writeHead(isRefused ? 503 : 200).end();
    const url = CALLBACK.exec(text)?.[1];
    if (!isRefused && url !== undefined) heardOf(url);
  };
  const server = createServer((request, response) => {
    // A message that breaks off with its process was not sent.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // `address()` is a string only for pipes.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    ledgers: () => [...hitsByKey].map(([key, hits]) => ({ path: PATH, key, hits })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
