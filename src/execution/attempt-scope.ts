/**
 * Tells whether the code that calls now is part of an attempt, however many awaits later. Only asynchronous context
 * can; it exists in Node, and in workerd with the `nodejs_compat` flag. It is never imported: a Worker without the
 * flag would not start.
 */
export interface AttemptScope {
  readonly step: string;
  /** Ends the attempt as one whose step used another operation. */
  readonly nested: (operation: string) => void;
}

interface AsyncContext<T> {
  run<R>(store: T | undefined, callback: () => R): R;
  getStore(): T | undefined;
}

interface Platform {
  readonly process?: {
    getBuiltinModule?: (
      name: string,
    ) => { readonly AsyncLocalStorage?: new () => AsyncContext<AttemptScope> } | undefined;
  };
}

// The cast: what the platform has beyond the types that this layer is compiled with. Taken once, at load.
const AsyncLocalStorage = (globalThis as Platform).process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
const context = AsyncLocalStorage === undefined ? undefined : new AsyncLocalStorage();

/** False where only the running turn tells. */
export const SCOPES_ARE_KNOWN = context !== undefined;

/** Calls an attempt's function within its scope. */
export function withinAttempt<R>(scope: AttemptScope, callback: () => R): R {
  return context === undefined ? callback() : context.run(scope, callback);
}

/** Calls what belongs to no attempt, whoever asks for it: another object, in the same process. */
export function outsideAttempts<R>(callback: () => R): R {
  return context === undefined ? callback() : context.run(undefined, callback);
}

export function currentAttempt(): AttemptScope | undefined {
  return context?.getStore();
}
