import { entryText } from "../model/entry-text.ts";
import type { History, ShownEntry } from "../model/history.ts";
import { Time } from "./texts.tsx";

export interface TimeTravelProps {
  readonly entries: readonly ShownEntry[];
  /** Of everything, for the names of operations. */
  readonly history: History;
  /** The entry that somebody looks back at: the last one that had happened. */
  readonly shown: number | undefined;
  readonly onShow: (entry: number | undefined) => void;
  readonly onFork: ((before: number) => void) | undefined;
}

/** A slider over the journal: at its end is now. */
export function TimeTravel({ entries, history, shown, onShow, onFork }: TimeTravelProps) {
  const last = entries.length - 1;
  const at = shown ?? last;
  const entry = entries[at];
  // The end of the slider follows the journal as it grows.
  const show = (next: number) => onShow(next >= last ? undefined : Math.max(0, next));
  return (
    <section class={`travel ${shown === undefined ? "" : "is-past"}`} aria-label="Time travel">
      <div class="bar">
        <label for="travel">{shown === undefined ? "As it is now" : "As it was"}</label>
        <input
          id="travel"
          type="range"
          min={0}
          max={Math.max(0, last)}
          value={at}
          aria-valuetext={entry === undefined ? "nothing yet" : `entry ${at} of ${last}: ${entry.type}`}
          onInput={(event) => show(Number(event.currentTarget.value))}
        />
        <div class="buttons">
          <button
            type="button"
            class="small"
            disabled={at <= 0}
            onClick={() => show(at - 1)}
            aria-label="One entry back"
          >
            ◂
          </button>
          <button
            type="button"
            class="small"
            disabled={shown === undefined}
            onClick={() => show(at + 1)}
            aria-label="One entry on"
          >
            ▸
          </button>
          <button type="button" class="small" disabled={shown === undefined} onClick={() => onShow(undefined)}>
            Now
          </button>
        </div>
      </div>
      {shown !== undefined && entry !== undefined && (
        <p class="travel-text" aria-live="polite">
          Entry {at} of {last}, <Time at={entry.at} />: <strong>{entry.type}</strong>{" "}
          {entryText(entry, (op) => history.operations[op]?.name)}
          {onFork !== undefined && at > 0 && (
            <button type="button" class="small" onClick={() => onFork(at)}>
              Fork before this entry …
            </button>
          )}
        </p>
      )}
    </section>
  );
}
