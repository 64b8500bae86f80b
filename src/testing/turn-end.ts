/** What the platforms have beyond the types that this layer is compiled with. */
interface Platform {
  readonly navigator?: { readonly userAgent?: string };
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly MessageChannel: new () => { readonly port1: Port; readonly port2: Port };
}

interface Port {
  addEventListener(type: "message", listener: () => void): void;
  start(): void;
  postMessage(message: unknown): void;
  close(): void;
}

/**
 * Resolves after every microtask that can run now has run: the end of a turn outside of an object.
 *
 * In Node `setImmediate`, for 3 µs. In workerd the body of a response, which comes through the event loop, for 40 µs: it
 * let 20,000 chained microtasks run 60 times of 60 (seen in November 2026), while timers, and `setImmediate` with them,
 * take 1.2 ms there, and `MessageChannel`, `Blob` and `crypto.subtle` answer too early. Elsewhere a message.
 *
 * Platform functions are taken once, when the module loads: fake timers in somebody's test must not stop the engine.
 */
export const endTurn: () => Promise<void> = chooseTurnEnd();

function chooseTurnEnd(): () => Promise<void> {
  // The cast: names that only some platforms have.
  const { navigator, setImmediate, MessageChannel } = globalThis as unknown as Platform;
  if (navigator?.userAgent === "Cloudflare-Workers") {
    const { Response } = globalThis;
    return async () => void (await new Response("").text());
  }
  if (setImmediate !== undefined) return () => new Promise((resolve) => void setImmediate(resolve));
  return () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(undefined);
    });
}
