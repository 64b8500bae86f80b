import { createAsyncContext } from "../../execution/async-context.ts";
import { currentAttempt } from "../../execution/attempt-scope.ts";

/** What the code of a workflow used of the platform that is another at every replay. */
export interface AmbientUse {
  /** As in `Date.now()`. */
  readonly what: string;
  /** Where the code did so, as its stack says. */
  readonly where: string;
}

export type SeenUses = Map<string, AmbientUse>;

const codeOfWorkflow = createAsyncContext<SeenUses>();

/** Explorations that are running: the traps are set for all of them together. */
let explorations = 0;
let removeTraps: () => void = () => {};

/** Calls the code of a workflow, and keeps what it uses of the platform besides what the engine gives it. */
export function watchCode<R>(seen: SeenUses, call: () => R): R {
  return codeOfWorkflow === undefined ? call() : codeOfWorkflow.run(seen, call);
}

/**
 * Sees what the code of workflows uses while `act` runs, wherever asynchronous context tells that code from other code:
 * steps, and whatever else runs in the process, use the platform as ever.
 */
export async function seeAmbientUse<R>(act: () => Promise<R>): Promise<R> {
  explorations += 1;
  if (explorations === 1 && codeOfWorkflow !== undefined) removeTraps = setTraps();
  try {
    return await act();
  } finally {
    explorations -= 1;
    if (explorations === 0) removeTraps();
  }
}

function see(what: string): void {
  const seen = codeOfWorkflow?.getStore();
  if (seen === undefined || currentAttempt() !== undefined || seen.has(what)) return;
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  const where = frames.find((frame) => !frame.includes("ambient-use")) ?? "";
  seen.set(what, { what, where: where.trim() });
}

/** Where the platform has them, by the object that has them. */
const FUNCTIONS: readonly (readonly [path: string, names: readonly string[]])[] = [
  ["", ["setTimeout", "setInterval", "setImmediate", "fetch"]],
  ["Math", ["random"]],
  ["performance", ["now"]],
  ["crypto", ["randomUUID", "getRandomValues"]],
];

function setTraps(): () => void {
  const removals = FUNCTIONS.flatMap(([path, names]) => {
    const holder: unknown = path === "" ? globalThis : Reflect.get(globalThis, path);
    if (typeof holder !== "object" || holder === null) return [];
    return names.map((name) => trapFunction(holder, name, path === "" ? `${name}()` : `${path}.${name}()`));
  });
  removals.push(trapDate());
  return () => {
    for (const remove of removals) remove();
  };
}

function trapFunction(holder: object, name: string, what: string): () => void {
  const original: unknown = Reflect.get(holder, name);
  if (typeof original !== "function") return () => {};
  return replace(
    holder,
    name,
    new Proxy(original, {
      apply(target, self, args) {
        see(what);
        return Reflect.apply(target, self, args) as unknown;
      },
    }),
  );
}

/** The present time alone: a `Date` made of something is none. */
function trapDate(): () => void {
  const RealDate = globalThis.Date;
  const now = () => {
    see("Date.now()");
    return RealDate.now();
  };
  return replace(
    globalThis,
    "Date",
    new Proxy(RealDate, {
      get: (target, key, receiver) => (key === "now" ? now : (Reflect.get(target, key, receiver) as unknown)),
      construct(target, args, newTarget) {
        if (args.length === 0) see("new Date()");
        return Reflect.construct(target, args, newTarget) as Date;
      },
      apply(target, self, args) {
        see("Date()");
        return Reflect.apply(target, self, args) as string;
      },
    }),
  );
}

/** Gives the function that puts back what was there. */
function replace(holder: object, name: string, value: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? true,
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, own);
  };
}
