import { describe, expect, it } from "vitest";
import { FrameRate } from "../../src/execution/frame-rate.ts";
import { LIMITS } from "../../src/limits.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

describe("the rate of a viewer's frames", () => {
  it("lets so many commands through in a window, and as many again in the next", () => {
    const clock = new VirtualClock(50_000);
    const rate = new FrameRate(clock);
    let taken = 0;
    const send = () => {
      expect(rate.countFrame()).toBe(true);
      if (!rate.mayCommand) return;
      taken += 1;
      rate.countCommand();
    };
    for (let frame = 0; frame < 150; frame += 1) send();
    expect(taken).toBe(LIMITS.commandsPerWindow);
    clock.moveTo(clock.now() + LIMITS.frameWindowMs);
    send();
    expect(taken).toBe(LIMITS.commandsPerWindow + 1);
  });

  it("gives up on a viewer that sends frames without end", () => {
    const clock = new VirtualClock(0);
    const rate = new FrameRate(clock);
    for (let frame = 0; frame < LIMITS.framesPerWindow; frame += 1) expect(rate.countFrame()).toBe(true);
    expect(rate.countFrame()).toBe(false);
    clock.moveTo(LIMITS.frameWindowMs);
    expect(rate.countFrame()).toBe(true);
  });
});
