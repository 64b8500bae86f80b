/**
 * What a viewer was sent and has not acknowledged. The platform does not say how much of it still waits to be sent, so
 * this is what bounds it. Plain data: it is kept with the WebSocket while its object is out of memory.
 */
export interface ReadWindow {
  /** Number of the next entry to be sent. */
  readonly next: number;
  readonly unread: readonly Stretch[];
}

/** Sent up to the entry `last`: so much. */
interface Stretch {
  readonly last: number;
  readonly bytes: number;
}

/** Shorter ones are joined, so that there are never many. */
const STRETCH_BYTES = 64 * 1_024;

export function openWindow(next: number): ReadWindow {
  return { next, unread: [] };
}

export function entrySent({ unread }: ReadWindow, entry: number, bytes: number): ReadWindow {
  return { next: entry + 1, unread: extended(unread, { last: entry, bytes }) };
}

/** Something that is no entry: acknowledged together with the entry before it. */
export function answerSent({ next, unread }: ReadWindow, bytes: number): ReadWindow {
  return { next, unread: extended(unread, { last: next - 1, bytes }) };
}

/** The viewer has read everything up to an entry. */
export function acknowledged({ next, unread }: ReadWindow, entry: number): ReadWindow {
  return { next, unread: unread.filter(({ last }) => last > entry) };
}

export function unreadBytes({ unread }: ReadWindow): number {
  return unread.reduce((total, { bytes }) => total + bytes, 0);
}

function extended(unread: readonly Stretch[], { last, bytes }: Stretch): readonly Stretch[] {
  const youngest = unread.at(-1);
  if (youngest === undefined || youngest.bytes >= STRETCH_BYTES) return [...unread, { last, bytes }];
  return [...unread.slice(0, -1), { last, bytes: youngest.bytes + bytes }];
}
