import { createAsyncContext } from "./async-context.ts";

/** Tells whether the code that calls now is part of an attempt, however many awaits later. */
export interface AttemptScope {
  readonly step: string;
  /** Ends the attempt as one whose step used another operation. */
  readonly nested: (operation: string) => void;
}

const context = createAsyncContext<AttemptScope>();

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
