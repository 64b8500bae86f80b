/**
 * Carries a value through every await of the code that is called with it. Only asynchronous context can; it exists in
 * Node, and in workerd with the `nodejs_compat` flag. It is never imported: a Worker without the flag would not start.
 */
export interface AsyncContext<T> {
  run<R>(store: T | undefined, callback: () => R): R;
  getStore(): T | undefined;
}

interface Platform {
  readonly process?: {
    getBuiltinModule?: (name: string) => { readonly AsyncLocalStorage?: new () => AsyncContext<unknown> } | undefined;
  };
}

/** `undefined` where the platform has none. To be called when a module loads. */
export function createAsyncContext<T>(): AsyncContext<T> | undefined {
  // The casts: what the platform has beyond the types that this layer is compiled with; what it carries is ours alone.
  const Storage = (globalThis as Platform).process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  return Storage === undefined ? undefined : (new Storage() as AsyncContext<T>);
}
