import type { Fetch } from "../../src/execution/ports.ts";
import type { StepContext } from "../../src/execution/workflow-context.ts";
import { deriveKey, drawUnit, drawUuid } from "../../src/journal/draw.ts";
import type { Started } from "../../src/journal/entry.ts";
import { keyOwner } from "../../src/journal/key-owner.ts";
import { HttpRefusal } from "../../src/steps/errors.ts";
import { nameOccurrence } from "../../src/steps/names.ts";
import { checkStep, type StepOptions } from "../../src/steps/step-options.ts";
import { urlOfCallback } from "../support/answering.ts";
import type { Model } from "./model.ts";
import type { ProgramContext } from "./run-program.ts";

/** A step; or what settles by itself at `dueAt` with `due`, unless a message comes first. */
export interface Asked {
  readonly step?: Step;
  readonly dueAt?: number;
  readonly due?: unknown;
  /** The name of the signal that it waits for. */
  readonly signal?: string;
  /** The callback whose answer it waits for. */
  readonly callback?: ModelCallback;
}

export interface ModelCallback {
  readonly dueAt: number;
  readonly takesNumbers: boolean;
  answer?: { readonly value: unknown; readonly at: number };
}

const NO_MESSAGE = { received: false };

export interface Step {
  readonly name: string;
  readonly maximumAttempts: number;
  readonly isFetch: boolean;
  readonly call: (attempt: number) => Promise<AttemptEnd>;
  readonly undo?: (value: unknown, attempt: number) => Promise<AttemptEnd>;
}

/** `failed`: tried again within the budget, at the backoff's time or at its own. `threw`: not worth it. */
export type AttemptEnd =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly retryAt?: number }
  | { readonly kind: "threw"; readonly error: unknown };

/** What was asked for and has not settled yet. */
export interface Operation extends Asked {
  readonly op: number;
  readonly dueAt: number;
  /** The turn in which it was asked for. */
  readonly turn: number;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Of a wait; the code says when it races one, and when it has left it. */
  listener: "awaits" | "races" | "left";
}

export interface ModelWorld {
  readonly fetch: Fetch;
  /** The entry of the start: numbers, keys and URLs are made of it. */
  readonly started: Started;
  /** Callbacks by their URLs. */
  readonly callbacks: Map<string, ModelCallback>;
  /** Told of every wait. */
  readonly waits: (wait: Operation) => void;
}

type Undoable = (value: unknown, context: Pick<StepContext, "attempt">) => unknown;

/**
 * What a program asks the model with. The texts of errors and the numbers drawn are the engine's own: what happens, in
 * which order and how often is what the model is there for.
 */
export function modelContext(model: Model, world: ModelWorld): ProgramContext {
  const { fetch, waits } = world;
  const { seed } = world.started;
  const ask = stepAsker(model);
  const now = () => model.clock.now();
  let draws = 0;
  let attributes = {};
  const context = {
    step: {
      run: (options: StepOptions, fn: (context: Pick<StepContext, "attempt">) => unknown, undo?: Undoable) =>
        ask(options, () => ({
          isFetch: false,
          call: (attempt) => attemptOf(() => fn({ attempt })),
          ...(undo && { undo: (value: unknown, attempt: number) => attemptOf(() => undo(value, { attempt })) }),
        })),
      fetch: (options: StepOptions, url: string) =>
        ask(options, (name) => {
          const send = () => fetch(url, { headers: { "Idempotency-Key": name } });
          return { isFetch: true, call: async () => await fetchAttempt(send, now) };
        }),
    },
    sleep: (ms: number) => model.ask(() => ({ dueAt: now() + Math.max(0, ms) })).promise,
    awaitSignal(name: string, { timeout }: { readonly timeout: number }) {
      const wait = model.ask(() => ({ dueAt: now() + timeout, due: NO_MESSAGE, signal: name }));
      waits(wait);
      return wait.promise;
    },
    createCallback: (options: CallbackOptions) => createCallback(model, options, world),
    now: () => model.seenAt,
    random: () => drawUnit(seed, `random ${(draws += 1)}`),
    uuid: () => drawUuid(seed, `uuid ${(draws += 1)}`),
    setProgress: () => {},
    setAttributes: (set: object) => void (attributes = { ...attributes, ...set }),
    patched: () => true,
    execution: {
      get attributes() {
        return attributes;
      },
    },
  };
  // The cast: it has what programs use of the context, and they are given no more.
  return context as unknown as ProgramContext;
}

interface CallbackOptions {
  readonly timeout: number;
  readonly schema?: unknown;
}

/** It is there at once, and told in its turn. An answer is for every wait. */
function createCallback(
  model: Model,
  { timeout, schema }: CallbackOptions,
  { started, callbacks }: ModelWorld,
): Promise<unknown> {
  const callback: ModelCallback = { dueAt: model.clock.now() + timeout, takesNumbers: schema !== undefined };
  const result = () => model.ask(() => ({ dueAt: callback.dueAt, due: NO_MESSAGE, callback })).promise;
  const created = model.ask(() => ({}));
  const url = urlOfCallback(started, deriveKey(keyOwner(started), `callback ${created.op}`));
  callbacks.set(url, callback);
  model.settle(created, { url, result });
  return created.promise;
}

/** Asks for a step, unless it is declared wrongly: that takes neither a number nor a name. */
function stepAsker(model: Model) {
  const occurrences = new Map<string, number>();
  return (options: StepOptions, make: (name: string) => Omit<Step, "name" | "maximumAttempts">): Promise<unknown> => {
    const { promise } = model.ask(() => {
      const { name, retryPolicy } = checkStep(options);
      const occurrence = (occurrences.get(name) ?? 0) + 1;
      occurrences.set(name, occurrence);
      const full = nameOccurrence(name, occurrence);
      const maximumAttempts = retryPolicy?.maximumAttempts ?? Number.POSITIVE_INFINITY;
      return { step: { name: full, maximumAttempts, ...make(full) } };
    });
    return promise;
  };
}

async function attemptOf(call: () => unknown): Promise<AttemptEnd> {
  try {
    return { kind: "returned", value: await call() };
  } catch {
    return { kind: "failed" };
  }
}

async function fetchAttempt(send: () => Promise<Response>, now: () => number): Promise<AttemptEnd> {
  const answer = await send().catch(() => undefined);
  if (answer === undefined) return { kind: "failed" };
  const body = await answer.text();
  const { status, headers } = answer;
  if (status >= 500) return { kind: "failed", retryAt: now() + 1_000 * Number(headers.get("Retry-After")) };
  if (status >= 400) return { kind: "threw", error: new HttpRefusal(status, body) };
  return { kind: "returned", value: { status, text: async () => body } };
}
