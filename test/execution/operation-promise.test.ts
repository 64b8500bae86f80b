import { describe, expect, it } from "vitest";
import { handOver, OperationPromise } from "../../src/execution/operation-promise.ts";

function operation<T>() {
  const { promise, resolve, reject } = OperationPromise.operation();
  // The cast: a test knows what it resolves it with.
  return { promise: promise as OperationPromise<T>, resolve: resolve as (value: T) => void, reject };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the interest in an operation's promise", () => {
  it("is certain while nobody has used it", () => {
    expect(operation().promise.interest).toBe("certain");
  });

  it("is certain when it is awaited", async () => {
    const { promise, resolve } = operation<number>();
    const seen = (async () => await promise)();
    expect(promise.interest).toBe("certain");
    resolve(1);
    expect(await seen).toBe(1);
  });

  it("is none after a race that another operation won", async () => {
    const signal = operation<string>();
    const sleep = operation<string>();
    const race = Promise.race([signal.promise, sleep.promise]);
    expect(signal.promise.interest).toBe("likely");
    sleep.resolve("slept");
    expect(await race).toBe("slept");
    expect(signal.promise.interest).toBe("none");
  });

  it("is none after a race that a promise derived from another operation won", async () => {
    const signal = operation<string>();
    const sleep = operation<string>();
    const race = Promise.race([signal.promise, sleep.promise.then((x) => `${x}!`).finally(() => undefined)]);
    sleep.resolve("slept");
    expect(await race).toBe("slept!");
    expect(signal.promise.interest).toBe("none");
  });

  it("is none after a race that another operation lost by a rejection", async () => {
    const signal = operation<string>();
    const step = operation<string>();
    const race = Promise.race([signal.promise, step.promise]);
    step.reject(new Error("no"));
    await expect(race).rejects.toThrow("no");
    expect(signal.promise.interest).toBe("none");
  });

  it("is none after Promise.any was won by another operation, and likely while only others failed", async () => {
    const signal = operation<string>();
    const first = operation<string>();
    const second = operation<string>();
    const any = Promise.any([signal.promise, first.promise, second.promise]);
    first.reject(new Error("no"));
    await settled();
    expect(signal.promise.interest).toBe("likely");
    second.resolve("yes");
    expect(await any).toBe("yes");
    expect(signal.promise.interest).toBe("none");
  });

  it("is none after a race written by hand", async () => {
    const signal = operation<string>();
    const sleep = operation<string>();
    const race = new Promise<string>((resolve, reject) => {
      signal.promise.then(resolve, reject);
      sleep.promise.then(resolve, reject);
    });
    sleep.resolve("slept");
    expect(await race).toBe("slept");
    expect(signal.promise.interest).toBe("none");
  });

  it("comes back when it is raced again, and tells so", async () => {
    const signal = operation<string>();
    const sleep = operation<string>();
    const again = operation<string>();
    await Promise.all([Promise.race([signal.promise, sleep.promise]), sleep.resolve("slept")]);
    expect(signal.promise.interest).toBe("none");
    let told = 0;
    signal.promise.onListen = () => (told += 1);
    const race = Promise.race([signal.promise, again.promise]);
    expect(told).toBeGreaterThan(0);
    expect(signal.promise.interest).toBe("likely");
    signal.resolve("signal");
    expect(await race).toBe("signal");
  });

  it("is certain when it lost a race and is awaited afterwards", async () => {
    const signal = operation<string>();
    const sleep = operation<string>();
    const race = Promise.race([signal.promise, sleep.promise]);
    sleep.resolve("slept");
    await race;
    const seen = (async () => await signal.promise)();
    expect(signal.promise.interest).toBe("certain");
    signal.resolve("late");
    expect(await seen).toBe("late");
  });

  it("is certain when the author handles it himself", () => {
    const { promise } = operation<string>();
    void promise.then((value) => value);
    expect(promise.interest).toBe("certain");
  });

  it("is likely in Promise.all and Promise.allSettled", async () => {
    const a = operation<string>();
    const b = operation<string>();
    const all = Promise.all([a.promise, b.promise]);
    const allSettled = Promise.allSettled([a.promise, b.promise]);
    expect(a.promise.interest).toBe("likely");
    a.resolve("a");
    b.resolve("b");
    expect(await all).toEqual(["a", "b"]);
    expect(await allSettled).toEqual([
      { status: "fulfilled", value: "a" },
      { status: "fulfilled", value: "b" },
    ]);
  });

  it("takes as many microtasks to be awaited as a native promise", async () => {
    const order: string[] = [];
    const ours = operation<void>();
    let resolveNative!: () => void;
    const native = new Promise<void>((resolve) => (resolveNative = resolve));
    const first = (async () => {
      await native;
      order.push("native");
    })();
    const second = (async () => {
      await ours.promise;
      order.push("ours");
    })();
    const third = (async () => {
      await native;
      order.push("native again");
    })();
    resolveNative();
    ours.resolve();
    await Promise.all([first, second, third]);
    expect(order).toEqual(["native", "native again", "ours"]);
  });
});

describe("an outcome that is handed over", () => {
  /** A wait in a combinator with something that is no operation. */
  async function inCombinator(combine: (promises: Promise<unknown>[]) => Promise<unknown>, isDecided: boolean) {
    const wait = OperationPromise.operation();
    wait.promise.onListen = () => {};
    let win!: (value: string) => void;
    const combined = combine([wait.promise, new Promise((resolve) => (win = resolve))]);
    if (isDecided) win("other");
    await settled();
    const outcome = { received: true };
    const wasTaken = handOver(wait, outcome);
    await settled();
    const taken = wasTaken();
    expect(Object.getOwnPropertyNames(outcome)).toEqual(["received"]);
    win("other");
    return { taken, outcome, value: await combined };
  }

  it("was taken by a race that was open", async () => {
    const { taken, outcome, value } = await inCombinator((promises) => Promise.race(promises), false);
    expect(taken).toBe(true);
    expect(value).toBe(outcome);
  });

  it("was not taken by a race that an async function had won", async () => {
    expect((await inCombinator((promises) => Promise.race(promises), true)).taken).toBe(false);
    expect((await inCombinator((promises) => Promise.any(promises), true)).taken).toBe(false);
  });

  it("was taken by Promise.all and Promise.allSettled", async () => {
    for (const isDecided of [false, true]) {
      const all = await inCombinator((promises) => Promise.all(promises), isDecided);
      expect(all.taken).toBe(true);
      expect(all.value).toEqual([all.outcome, "other"]);
      expect((await inCombinator((promises) => Promise.allSettled(promises), isDecided)).taken).toBe(true);
    }
  });

  it("was taken by whoever awaits it, whatever else has it", async () => {
    const wait = OperationPromise.operation();
    wait.promise.onListen = () => {};
    await Promise.race([wait.promise, Promise.resolve("other")]);
    const seen = (async () => await wait.promise)();
    const wasTaken = handOver(wait, { received: true });
    expect(await seen).toEqual({ received: true });
    expect(wasTaken()).toBe(true);
  });
});
