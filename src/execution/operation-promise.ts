/**
 * The promise of an operation, which can tell whether anybody still waits for it.
 *
 * A signal must not be given to a wait that lost a race, or nobody would ever see it. JavaScript keeps the reactions
 * of a promise to itself, so this one watches how it is used: `await` reads its `constructor` without calling `then`,
 * and the combinators pass resolving functions to `then`, which have an effect only the first time they are called.
 * Once a race was won, through this promise or another one, everybody who gave its resolving function has stopped
 * listening.
 */

/** `certain`: somebody awaits it or will. `likely`: a combinator has it, and may have been settled in another way. */
export type Interest = "none" | "likely" | "certain";

type Handler = (value: never) => unknown;

/** Resolving functions that have been called; they are single-shot. */
const spent = new WeakSet<object>();
/** True while a derived promise is made: it is watched as well. */
let deriving = false;

/** The functions that `new Promise` and the combinators make: native and nameless. */
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
function isOver([fulfil, reject]: readonly [Handler, unknown]): boolean {
  return spent.has(fulfil) || (typeof reject === "function" && spent.has(reject));
}

export class OperationPromise<T> extends Promise<T> {
  /** Reads of `constructor` that no `then` has followed: one for each `await`. */
  #awaits = 0;
  #handled = false;
  #reactions: [fulfil: Handler, reject: unknown][] | undefined;
  /** Called when somebody begins to listen. */
  onListen: (() => void) | undefined;

  get interest(): Interest {
    if (this.#awaits > 0 || this.#handled || this.#reactions === undefined) return "certain";
    return this.#reactions.every(isOver) ? "none" : "likely";
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#listen(onFulfilled, onRejected);
    deriving = true;
    try {
      return super.then(watched(onFulfilled), watched(onRejected));
    } finally {
      deriving = false;
    }
  }

  /** A rejection that nobody awaits does not surface as unhandled. */
  silence(): void {
    deriving = true;
    try {
      super.then(undefined, () => {});
    } finally {
      deriving = false;
    }
  }

  #listen(onFulfilled: unknown, onRejected: unknown): void {
    if (isResolvingFunction(onFulfilled)) {
      // A combinator read `constructor` just before.
      if (this.#awaits > 0) this.#awaits -= 1;
      // What is over is dropped here, or a loop that races one promise again and again would fill the memory.
      this.#reactions = (this.#reactions ?? []).filter((reaction) => !isOver(reaction));
      this.#reactions.push([onFulfilled, onRejected]);
    } else if (onFulfilled !== undefined) {
      this.#handled = true;
    }
    this.onListen?.();
  }

  static {
    Object.defineProperty(this.prototype, "constructor", {
      configurable: true,
      get(this: OperationPromise<unknown>) {
        if (deriving) return OperationPromise;
        this.#awaits += 1;
        this.onListen?.();
        // A promise of another constructor would be wrapped by `await`, which costs two turns of the microtask queue.
        return Promise;
      },
    });
  }
}

/** A rejection that does not surface as unhandled when nobody awaits it. */
export function silentRejection(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}
