import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The service outside that steps send requests to: it notes when each came, which tells attempts apart whatever engine
 * made them. `/ok/…` is always accepted, `/no/…` never, `/once/…` is refused the first time.
 */
export interface HitService {
  readonly url: string;
  /** When requests to this path came, in Unix milliseconds, with parts of them. */
  readonly hits: (path: string) => readonly number[];
  /** When the attempt before the last request to this path failed, as the program tells. */
  readonly failedAt: (path: string) => number | undefined;
  /** Paths that begin so. */
  readonly paths: (start: string) => readonly string[];
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

export async function startHitService(): Promise<HitService> {
  const book = new Map<string, number[]>();
  const failures = new Map<string, number>();
  const server = createServer((request, response) => {
    const [path = "/", failedAt] = (request.url ?? "/").split("?failedAt=");
    if (failedAt !== undefined) failures.set(path, Number(failedAt));
    const hits = book.get(path) ?? [];
    book.set(path, hits);
    hits.push(performance.timeOrigin + performance.now());
    const isRefused = path.startsWith("/no/") || (path.startsWith("/once/") && hits.length === 1);
    response.writeHead(isRefused ? 500 : 200, { "Content-Type": "text/plain" }).end("noted");
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
  // `address()` is a string only for pipes.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hits: (path) => book.get(path) ?? [],
    failedAt: (path) => failures.get(path),
    paths: (start) => [...book.keys()].filter((path) => path.startsWith(start)),
    forget: () => {
      book.clear();
      failures.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
