import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acknowledged, answerSent, entrySent, openWindow, unreadBytes } from "../../src/execution/read-window.ts";

const KIB = 1_024;

const sent = fc.record({ kind: fc.constant("entry" as const), bytes: fc.integer({ min: 1, max: 70 * KIB }) });
const answered = fc.record({ kind: fc.constant("answer" as const), bytes: fc.integer({ min: 1, max: 200 }) });
const read = fc.record({ kind: fc.constant("read" as const), back: fc.integer({ min: 0, max: 20 }) });

describe("a read window", () => {
  it("counts what was sent until everything before it is acknowledged", () => {
    let window = openWindow(5);
    window = entrySent(window, 5, 100);
    window = answerSent(window, 20);
    expect([window.next, unreadBytes(window)]).toEqual([6, 120]);
    expect(unreadBytes(acknowledged(window, 4))).toBe(120);
    expect(acknowledged(window, 5)).toEqual(openWindow(6));
  });

  it("never counts less than what is not acknowledged, at most a stretch more, and stays small", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(sent, sent, answered, read), { maxLength: 400 }), (acts) => {
        let window = openWindow(0);
        let unread: { readonly last: number; readonly bytes: number }[] = [];
        for (const act of acts) {
          if (act.kind === "entry") {
            unread.push({ last: window.next, bytes: act.bytes });
            window = entrySent(window, window.next, act.bytes);
          } else if (act.kind === "answer") {
            unread.push({ last: window.next - 1, bytes: act.bytes });
            window = answerSent(window, act.bytes);
          } else {
            const entry = Math.max(0, window.next - 1 - act.back);
            window = acknowledged(window, entry);
            unread = unread.filter(({ last }) => last > entry);
          }
          const exact = unread.reduce((total, { bytes }) => total + bytes, 0);
          expect(unreadBytes(window)).toBeGreaterThanOrEqual(exact);
          expect(unreadBytes(window) - exact).toBeLessThan((64 + 70) * KIB);
          expect(window.unread.length).toBeLessThanOrEqual(1 + Math.ceil(unreadBytes(window) / (64 * KIB)));
        }
      }),
    );
  });
});
