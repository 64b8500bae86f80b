import { useSignal } from "@preact/signals";
import type { History } from "../model/history.ts";
import { Time } from "./texts.tsx";
import { ValueView } from "./value-view.tsx";

export interface SignalListProps {
  readonly history: History;
  /** Sends another one of a name, where that can be done. */
  readonly onSend: ((name: string) => void) | undefined;
}

/** More than these are shown to who asks. */
const SHOWN = 20;

/** Signals that came, read or not, and those that are waited for. */
export function SignalList({ history: { signals, operations }, onSend }: SignalListProps) {
  const isWhole = useSignal(false);
  const awaited = operations.filter(({ kind, status }) => kind === "signal" && status === "waiting");
  if (signals.length === 0 && awaited.length === 0) return null;
  const unread = signals.filter(({ takenBy }) => takenBy === undefined).length;
  const shown = isWhole.value ? signals : signals.slice(-SHOWN);
  return (
    <section aria-label="Signals">
      <div class="bar">
        <h2>Signals</h2>
        {signals.length > 0 && (
          <span class="quiet">
            {signals.length} sent, {unread} unread
          </span>
        )}
      </div>
      <ul class="signals">
        {awaited.map(({ op, name, subject = name, dueAt }) => (
          <li key={`awaited ${op}`}>
            <p>
              Waits for <strong>{subject}</strong>
              {dueAt !== undefined && (
                <>
                  , at most until <Time at={dueAt} />
                </>
              )}{" "}
              {onSend !== undefined && (
                <button type="button" class="small" onClick={() => onSend(subject)}>
                  Send {subject} …
                </button>
              )}
            </p>
          </li>
        ))}
        {shown.map(({ entry, name, at, value, key, takenBy }) => (
          <li key={entry}>
            <p>
              <strong>{name}</strong> <Time at={at} />{" "}
              <span class={takenBy === undefined ? "unread" : "quiet"}>
                {takenBy === undefined ? "unread" : `read by ${operations[takenBy]?.name ?? ""}`}
              </span>
              {key !== undefined && <span class="quiet"> key {key}</span>}
            </p>
            <ValueView label={`Value of ${name}`} value={value} isInline />
          </li>
        ))}
      </ul>
      {shown.length < signals.length && (
        <button type="button" class="more" onClick={() => (isWhole.value = true)}>
          Show all {signals.length}, the {signals.length - shown.length} before these too
        </button>
      )}
    </section>
  );
}
