/**
 * The promise of an operation, which can tell whether anybody still waits for it.
 *
 * A signal must not be given to a wait that lost a race, or nobody would ever see it. JavaScript keeps the reactions
 * of a promise to itself, so this one watches how it is used: `await` reads its `constructor` without calling `then`,
 * and the combinators pass resolving functions to `then`, which have an effect only the first time they are called.
 * A race that another operation won is known to be over by that. One that something else won (an async function, say)
 * shows itself when the outcome is handed over: a resolving function looks for the `then` of what it is given, unless
 * its promise is decided already.
 */

/** `certain`: somebody awaits it or will. `likely`: a combinator has it, and may have been settled in another way. */
export type Interest = "none" | "likely" | "certain";

type Handler = (value: never) => unknown;

interface Reaction {
  readonly fulfil: Handler;
  readonly reject: unknown;
  /** Of `race` and `any`, which look for the `then` of what they are given. */
  readonly looks: boolean;
}

/** Resolving functions that have been called, or will be before the turn ends. */
const spent = new WeakSet<object>();
/** What the promise that `then` makes shall be. */
let derived: "watched" | "plain" | undefined;

/** The functions that `new Promise`, the combinators and `finally` make: native and nameless. */
function isResolvingFunction(handler: unknown): handler is Handler {
  return (
    typeof handler === "function" &&
    handler.name === "" &&
    /\[native code\]\s*\}$/.test(Function.prototype.toString.call(handler))
  );
}

function watched<F extends Handler | null | undefined>(handler: F): F {
  if (!isResolvingFunction(handler)) return handler;
  const resolve: Handler = handler;
  // The cast: a function that does what `handler` does, and notes that it was called.
  return ((value: never) => {
    spent.add(resolve);
    return resolve(value);
  }) as F;
}

/** `race` shares both functions among its promises, `any` the first, `all` the second: either one ends them all. */
function isOver({ fulfil, reject }: Reaction): boolean {
  return spent.has(fulfil) || (typeof reject === "function" && spent.has(reject));
}

const ignore = () => {};

/** Reactions kept before those that are over are looked for. */
const FEW = 16;

export class OperationPromise<T> extends Promise<T> {
  /** Reads of `constructor` that no `then` has followed: one for each `await`. */
  #awaits = 0;
  #handled = false;
  #reactions: Reaction[] | undefined;
  #compactsAt = FEW;
  /** Made by the engine, which then knows when it is settled; not by `then`. */
  #settled: "no" | "yes" | "unknown" = "unknown";
  /** Called when somebody begins to listen. */
  onListen: (() => void) | undefined;

  /** A promise with the functions that settle it. A rejection that nobody awaits does not surface as unhandled. */
  static operation(): Operation {
    let resolve!: (value: unknown) => void;
    let reject!: (error: unknown) => void;
    const promise = new OperationPromise<unknown>((fulfil, fail) => {
      resolve = fulfil;
      reject = fail;
    });
    promise.#settled = "no";
    derived = "plain";
    // Both handlers: without the first, the derived promise would look for the `then` of every outcome.
    void Promise.prototype.then.call(promise, ignore, ignore);
    derived = undefined;
    return {
      promise,
      resolve(value) {
        promise.#spend((reaction) => reaction.fulfil);
        resolve(value);
      },
      reject(error) {
        promise.#spend((reaction) => reaction.reject);
        reject(error);
      },
    };
  }

  get interest(): Interest {
    if (this.#awaits > 0 || this.#handled || this.#reactions === undefined) return "certain";
    return this.#reactions.every(isOver) ? "none" : "likely";
  }

  /** True where whoever may take the outcome looks for its `then`. */
  get looksForThen(): boolean {
    return (
      this.interest !== "certain" && (this.#reactions ?? []).every((reaction) => reaction.looks || isOver(reaction))
    );
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#listen(onFulfilled, onRejected);
    derived = "watched";
    try {
      // The engine knows of its own promises when they settle; what was derived from them has to be watched.
      if (this.#settled !== "unknown") return super.then(onFulfilled, onRejected);
      return super.then(watched(onFulfilled), watched(onRejected));
    } finally {
      derived = undefined;
    }
  }

  #listen(onFulfilled: unknown, onRejected: unknown): void {
    if (isResolvingFunction(onFulfilled)) {
      // A combinator read `constructor` just before.
      if (this.#awaits > 0) this.#awaits -= 1;
      this.#keep({ fulfil: onFulfilled, reject: onRejected, looks: this.onListen !== undefined && isCalledByRace() });
    } else if (onFulfilled !== undefined) {
      this.#handled = true;
    }
    this.onListen?.();
  }

  #keep(reaction: Reaction): void {
    if (this.#settled === "yes") return;
    const reactions = (this.#reactions ??= []);
    if (reactions.length >= this.#compactsAt) {
      // A loop that races one promise again and again would fill the memory otherwise.
      this.#reactions = reactions.filter((each) => !isOver(each));
      this.#compactsAt = Math.max(FEW, 2 * this.#reactions.length);
    }
    this.#reactions?.push(reaction);
  }

  #spend(functionOf: (reaction: Reaction) => unknown): void {
    this.#settled = "yes";
    for (const reaction of this.#reactions ?? []) {
      const called = functionOf(reaction);
      if (typeof called === "function") spent.add(called);
    }
  }

  static {
    Object.defineProperty(this.prototype, "constructor", {
      configurable: true,
      get(this: OperationPromise<unknown>) {
        if (derived !== undefined) return derived === "watched" ? OperationPromise : Promise;
        this.#awaits += 1;
        this.onListen?.();
        // A promise of another constructor would be wrapped by `await`, which costs two turns of the microtask queue.
        return Promise;
      },
    });
  }
}

export interface Operation {
  readonly promise: OperationPromise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands an outcome over. The function that it gives tells, after the turn, whether somebody took it; it has to be
 * called then. Where nobody could look for a `then`, it counts as taken.
 */
export function handOver({ promise, resolve }: Operation, outcome: object): () => boolean {
  if (!promise.looksForThen) {
    resolve(outcome);
    return () => true;
  }
  let looks = 0;
  const then = { configurable: true, enumerable: false, get: () => void (looks += 1) };
  Object.defineProperty(outcome, "then", then);
  resolve(outcome);
  // The promise itself has looked just now.
  looks = 0;
  return () => {
    Reflect.deleteProperty(outcome, "then");
    return looks > 0;
  };
}

/** V8 names the built-in functions on its stack. Where it does not, the answer is no. */
function isCalledByRace(): boolean {
  return /\b(?:Promise|Function)\.(?:race|any)\b/.test(new Error("where").stack ?? "");
}

/** The promise, whose rejection does not surface as unhandled when nobody awaits it. */
export function silent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

export function silentRejection(error: unknown): Promise<never> {
  return silent(Promise.reject(error));
}
