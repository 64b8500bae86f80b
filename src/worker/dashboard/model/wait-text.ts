import type { WaitView } from "../../../journal/view.ts";

/** What a wait is, in few words: its time and its rule stand beside it. */
const WORDS: { readonly [Kind in WaitView["kind"]]: string } = {
  retry: "retries",
  sleep: "sleeps",
  signal: "waits for the signal",
  callback: "waits for the callback",
  run: "runs its code again",
  start: "starts",
  rollback: "retries the rollback of",
  execution: "waits for the end of",
  delivery: "delivers the",
};

/** Those whose rule says more than their kind. */
const TOLD = new Set<WaitView["kind"]>(["retry", "run", "rollback", "delivery"]);

/** Those that give up at their time, and would rather not. */
const BOUNDED = new Set<WaitView["kind"]>(["signal", "callback", "execution"]);

export interface WaitText {
  readonly words: string;
  /** What stands before its time. */
  readonly before: string;
  /** Which rule set its time, where that says something new. */
  readonly because: string | undefined;
}

export interface ToldWait extends Pick<WaitView, "kind" | "because"> {
  readonly name?: string | undefined;
}

export function waitText({ kind, name, because }: ToldWait): WaitText {
  const words = kind === "sleep" || name === undefined ? WORDS[kind] : `${WORDS[kind]} ${name}`;
  const before = BOUNDED.has(kind) ? ", gives up " : kind === "sleep" ? ", wakes " : " ";
  return { words, before, because: TOLD.has(kind) ? because : undefined };
}
