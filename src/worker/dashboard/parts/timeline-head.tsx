import { now } from "../data/clock.ts";
import type { History } from "../model/history.ts";
import { clockText, lengthText } from "../model/time.ts";
import { leftOf, marksOf, percent, placeOf, ticksOf, type Window } from "../model/timeline.ts";

export interface TimelineHeadProps {
  readonly history: History;
  readonly window: Window;
  readonly until: number;
  /** Where what is shown ends, as a share of the width. */
  readonly cut: number | undefined;
  /** Ticks that there is room for. */
  readonly most: number;
}

/** The scale of the timeline, and what happened to the execution as a whole. The journal says it in words. */
export function TimelineHead({ history, window, until, cut, most }: TimelineHeadProps) {
  const startedAt = history.startedAt ?? window.from;
  // There is no room for words behind the last part.
  const ticks = ticksOf(window, startedAt, most).filter(({ left }) => left < 0.94);
  return (
    <div class="timeline-head" aria-hidden="true">
      <div class="axis">
        <span class="label">since the start</span>
        <div class="track">
          {ticks.map(({ at, left }) => (
            <span key={at} class="tick" style={{ left: percent(left) }} title={clockText(at, now.value)}>
              {at === startedAt ? "0" : lengthText(at - startedAt)}
            </span>
          ))}
          {cut !== undefined && <span class="cut" style={{ left: percent(cut) }} />}
        </div>
      </div>
      <Happenings history={history} window={window} until={until} />
    </div>
  );
}

function Happenings({ history, window, until }: Pick<TimelineHeadProps, "history" | "window" | "until">) {
  const marks = marksOf(history);
  const { pauses } = history;
  if (marks.length === 0 && pauses.length === 0) return null;
  return (
    <div class="axis happenings">
      <span class="label">the execution</span>
      <div class="track">
        {pauses.map((pause) => {
          const place = placeOf(pause, window, until);
          if (place === undefined) return null;
          const style = { left: percent(place.left), width: percent(place.width) };
          const length = lengthText((pause.to ?? until) - pause.from);
          return <span key={pause.from} class="pause" style={style} title={`Paused for ${length}: ${pause.message}`} />;
        })}
        {marks.map(({ entry, at, kind, text }) => {
          const left = leftOf(at, window);
          if (left === undefined) return null;
          const title = `${text}, ${lengthText(at - (history.startedAt ?? at))} after the start`;
          return <span key={entry} class={`mark mark-${kind}`} style={{ left: percent(left) }} title={title} />;
        })}
      </div>
    </div>
  );
}

const LEGEND = [
  ["span span-attempt ended-done", "attempt"],
  ["span span-attempt ended-failed", "failed attempt"],
  ["span span-attempt going-on", "running"],
  ["span span-retry ended-done", "until the next attempt"],
  ["span span-wait ended-done", "waits"],
  ["span span-queued ended-done", "queued"],
] as const;

const MARKS = {
  run: "its code runs again",
  patch: "patch",
  cancel: "cancellation",
  lost: "object lost",
  fork: "fork",
  rollback: "rollback begins",
} as const;

export function Legend({ history }: { history: History }) {
  const kinds = new Set<string>(marksOf(history).map(({ kind }) => kind));
  const marks = Object.entries(MARKS).filter(([kind]) => kinds.has(kind));
  return (
    <ul class="legend" aria-label="What the bars mean">
      {LEGEND.map(([kind, words]) => (
        <li key={kind}>
          <span class={kind} /> {words}
        </li>
      ))}
      {history.pauses.length > 0 && (
        <li>
          <span class="span pause" /> paused
        </li>
      )}
      {marks.map(([kind, words]) => (
        <li key={kind}>
          <span class={`mark mark-${kind}`} /> {words}
        </li>
      ))}
    </ul>
  );
}
