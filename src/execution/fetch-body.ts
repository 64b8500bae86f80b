import type { Clock } from "./ports.ts";

export interface BodyBounds {
  /** Bytes that are kept. */
  readonly maximumBytes: number;
  /**
   * How long to wait for them. What has come until then, or until the connection breaks off, is the answer. Without it
   * the body is awaited as long as the signal of its request lets.
   */
  readonly within?: { readonly clock: Clock; readonly ms: number };
}

/** The beginning of a body. */
export interface BodyStart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Nothing is missing. */
  readonly isWhole: boolean;
}

/** A response. */
interface HasBody {
  readonly body: ReadableStream<Uint8Array> | null;
}

const LATE = Symbol("late");

/**
 * Reads a body up to its bounds, and drops the rest.
 *
 * @throws whatever the connection breaks off with, where the body is not read `within` a time
 */
export async function readBody({ body }: HasBody, { maximumBytes, within }: BodyBounds): Promise<BodyStart> {
  if (body === null) return { bytes: new Uint8Array(), isWhole: true };
  const reader = body.getReader();
  const late = within && lateAfter(within);
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  try {
    while (!isWhole && length <= maximumBytes) {
      const next = await (late === undefined ? reader.read() : Promise.race([reader.read(), late.promise]));
      if (next === LATE) break;
      isWhole = next.done;
      if (next.done) continue;
      chunks.push(next.value);
      length += next.value.byteLength;
    }
  } catch (error) {
    // A part of a refusal's body is worth more than the reason why the rest is missing.
    if (late === undefined) throw error;
  }
  late?.withdraw();
  // However that ends, the body has been given up.
  if (!isWhole) reader.cancel().catch(() => {});
  return { bytes: joined(chunks, Math.min(length, maximumBytes)), isWhole };
}

function lateAfter({ clock, ms }: { readonly clock: Clock; readonly ms: number }) {
  let resolve!: (late: typeof LATE) => void;
  const promise = new Promise<typeof LATE>((fulfil) => (resolve = fulfil));
  return { promise, withdraw: clock.timer(clock.now() + ms, () => resolve(LATE)) };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - at), at);
    at += chunk.byteLength;
    if (at >= length) break;
  }
  return bytes;
}
