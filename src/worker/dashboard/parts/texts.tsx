import type { ComponentChildren } from "preact";
import type { RequestRefused } from "../data/ask.ts";
import { now } from "../data/clock.ts";
import { clockText, countdownText, exactText, relativeText } from "../model/time.ts";

export interface TimeProps {
  readonly at: number;
  readonly form?: "both" | "clock" | "exact" | "relative";
  /** What it is told against. @default now */
  readonly against?: number | undefined;
}

/** A moment: by the clock, and as it stands to now or to when somebody looks back. What is to come is counted down. */
export function Time({ at, form = "both", against = now.value }: TimeProps) {
  const clock = clockText(at, against) + (form === "exact" ? `.${String(at % 1_000).padStart(3, "0")}` : "");
  const relative = at > against ? `in ${countdownText(at - against)}` : relativeText(at, against);
  return (
    <time dateTime={exactText(at)} title={exactText(at)}>
      {form === "relative" ? relative : clock}
      {form === "both" && <span class="relative"> ({relative})</span>}
    </time>
  );
}

const STATE_SIGNS: Readonly<Record<string, string>> = {
  running: "▶",
  waiting: "◷",
  queued: "◌",
  pending: "◌",
  paused: "‖",
  completed: "✓",
  failed: "✕",
  exhausted: "✕",
  refused: "✕",
  cancelled: "⊘",
  abandoned: "⊘",
  "not-run": "⊘",
  "timed-out": "◔",
};

/** For where there is room for one character. */
export function signOfState(state: string): string {
  return STATE_SIGNS[state] ?? "·";
}

/** A state, told by its word, its sign and its colour. */
export function State({ state }: { state: string }) {
  return (
    <span class={`state state-${state}`}>
      <span aria-hidden="true">{signOfState(state)}</span>
      <span class="word">{state.replace("-", " ")}</span>
    </span>
  );
}

/** What was refused, where it was asked for. */
export function Refusal({ refusal }: { refusal: Pick<RequestRefused, "code" | "message" | "issues"> | undefined }) {
  if (refusal === undefined) return null;
  return (
    <div class="refusal" role="alert">
      <strong>{refusal.code}</strong> {refusal.message}
      {refusal.issues.length > 0 && (
        <ul>
          {refusal.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path === "" ? "the whole" : path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Nothing is there, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}
