import { describe, expect, it } from "vitest";
import { SocketViewer } from "../../src/durable-object/socket-viewer.ts";
import type { SocketAttachment, SocketParts } from "../../src/durable-object/viewer-sockets.ts";
import type { ShownEntry } from "../../src/execution/feed.ts";
import { openWindow } from "../../src/execution/read-window.ts";
import type { ViewerFrame } from "../../src/execution/viewer-frame.ts";
import { LIMITS } from "../../src/limits.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const TERMS = { role: "full", workflow: "order", form: "json", journalPath: "/journal" } as const;

/** A viewer over a socket and a feed that only count. The feed has entries of `bytes` each. */
function createViewer({ entries = 0, bytes = 1_000, viewers = 1 } = {}) {
  const clock = new VirtualClock(50_000);
  const sent: string[] = [];
  const closed: unknown[] = [];
  let attachment: SocketAttachment = { terms: TERMS, window: openWindow(0) };
  const socket = {
    readyState: WebSocket.OPEN,
    send: (text: string) => void sent.push(text),
    close: (code: number, reason: string) => {
      socket.readyState = WebSocket.CLOSING;
      closed.push(code, reason);
    },
    serializeAttachment: (value: SocketAttachment) => void (attachment = structuredClone(value)),
    deserializeAttachment: () => attachment,
  };
  const journal = { entries, isOver: false };
  const feed = {
    viewers,
    watch: () => () => {},
    look: () => viewer.see(),
    isOver: (from: number) => journal.isOver && from >= journal.entries,
    *entries(from: number): Iterable<ShownEntry> {
      for (let number = from; number < journal.entries; number += 1)
        yield { number, type: "progress", text: "x".repeat(bytes) };
    },
  };
  const frames: ViewerFrame[] = [];
  const refusals: unknown[] = [];
  const readFrame = (_frame: unknown, _terms: unknown, refusal: unknown) => {
    refusals.push(refusal);
    return frames.shift() ?? ({ kind: "refused", answer: "no" } as const);
  };
  // The casts: the viewer uses these members of the platform's classes alone.
  const parts = { clock, feed, readFrame, port: {}, load: async () => feed.look() } as unknown as SocketParts;
  const viewer: SocketViewer = new SocketViewer(socket as unknown as WebSocket, parts);
  const take = async (frame: ViewerFrame) => {
    frames.push(frame);
    await viewer.take("frame");
  };
  return { viewer, clock, sent, closed, journal, take, refusals, socket, attachment: () => attachment };
}

const acknowledge = (entry: number): ViewerFrame => ({ kind: "acknowledgement", entry });
const answering = (text: string): ViewerFrame => ({ kind: "request", answer: async () => text });

describe("the WebSocket of a viewer", () => {
  it("is sent so much and no more, is dropped 30 seconds later, and told how to go on", () => {
    const { viewer, clock, sent, closed } = createViewer({ entries: 5_000 });
    viewer.see();
    expect(sent.length).toBe(Math.ceil(LIMITS.unacknowledgedBytes / 1_000));
    viewer.see();
    clock.moveTo(clock.now() + 29_999);
    clock.fireDue();
    expect(closed).toEqual([]);
    clock.moveTo(clock.now() + 1);
    clock.fireDue();
    expect(closed).toEqual([4_008, expect.stringContaining("?from=")]);
    viewer.see();
    expect(sent.length).toBe(Math.ceil(LIMITS.unacknowledgedBytes / 1_000));
  });

  it("gets the rest as it acknowledges, and is not dropped meanwhile", async () => {
    const { viewer, clock, sent, closed, take } = createViewer({ entries: 5_000 });
    viewer.see();
    while (sent.length < 5_000) {
      clock.moveTo(clock.now() + 20_000);
      clock.fireDue();
      await take(acknowledge(sent.length - 1));
    }
    clock.moveTo(clock.now() + 60_000);
    clock.fireDue();
    expect([sent.length, closed, clock.nextAt]).toEqual([5_000, [], undefined]);
  });

  it("shares what all viewers of the object may be sent", () => {
    const { viewer, sent } = createViewer({ entries: 5_000, viewers: 200 });
    viewer.see();
    expect(sent.length).toBe(Math.ceil(LIMITS.unacknowledgedBytesOfAll / 200 / 1_000));
  });

  it("knows where it was after its object was out of memory", () => {
    const { viewer, attachment } = createViewer({ entries: 3 });
    viewer.see();
    expect(attachment()).toEqual({ terms: TERMS, window: { next: 3, unread: [{ last: 2, bytes: 3_000 }] } });
  });

  it("is closed at once where it asks without ever reading", async () => {
    const { closed, sent, take } = createViewer();
    const answer = "x".repeat(100_000);
    for (let asked = 0; closed.length === 0 && asked < 90; asked += 1) await take(answering(answer));
    expect(closed[0]).toBe(4_008);
    expect(sent.length * answer.length).toBeLessThanOrEqual(2 * LIMITS.unacknowledgedBytes + answer.length);
  });

  it("refuses commands beyond the bounds, and is closed for frames without end", async () => {
    const { closed, take, refusals } = createViewer();
    const { promise, resolve } = Promise.withResolvers<string>();
    const taken = Array.from({ length: LIMITS.framesInFlight }, () => take({ kind: "request", answer: () => promise }));
    await take({ kind: "refused", answer: "too many" });
    expect(refusals.filter((refusal) => refusal !== undefined)).toHaveLength(1);
    resolve("answer");
    await Promise.all(taken);
    for (let frame = 0; closed.length === 0 && frame <= LIMITS.framesPerWindow; frame += 1) await take(acknowledge(0));
    expect(closed[0]).toBe(1_008);
  });

  it("answers in the order of the requests, and goes on after one that failed", async () => {
    const { sent, take, journal, viewer, closed } = createViewer();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = take({ kind: "request", answer: () => promise });
    const failing = take({ kind: "request", answer: () => Promise.reject(new Error("a bug")) });
    const third = take(answering("third"));
    journal.isOver = true;
    viewer.see();
    // The end is there, and answers are still to come.
    expect([sent, closed]).toEqual([[], []]);
    resolve("first");
    await first;
    await expect(failing).rejects.toThrow("a bug");
    await third;
    expect([sent, closed[0]]).toEqual([["first", "third"], 1_000]);
  });
});
