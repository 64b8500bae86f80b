import { createServer, type IncomingMessage } from "node:http";
import type { Program } from "../program.ts";

/** How a program is started by the engine's own client. */
export interface Engine {
  /** Resolves when the start is durable, with what waits for the result. */
  readonly begin: (program: Program) => Promise<() => Promise<unknown>>;
}

/**
 * Serves an engine that lives in a Node process: `POST /run` answers with the result, `POST /begin` once the start is
 * durable. It prints a line when it listens.
 */
export function serve({ begin }: Engine): void {
  const server = createServer((request, response) => {
    const answer = async () => {
      // The cast: the benchmark sends nothing else.
      const result = await begin(JSON.parse(await bodyOf(request)) as Program);
      const value = request.url === "/run" ? await result() : null;
      if (request.url !== "/run") result().catch(() => {});
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    };
    answer().catch((error: unknown) => {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(Number(process.env["PORT"]), "127.0.0.1", () => console.log("The peer is ready"));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
