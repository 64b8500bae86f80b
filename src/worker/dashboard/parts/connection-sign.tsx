import type { Connection } from "../data/live-journal.ts";

const WORDS: Readonly<Record<Connection, string>> = {
  connecting: "connecting …",
  live: "live",
  polling: "asks every 2 s",
  over: "nothing more will come",
  disconnected: "disconnected",
};

/** Whether what is shown is what is true. */
export function ConnectionSign({ connection }: { connection: Connection }) {
  return (
    <span class={`connection connection-${connection}`} role="status">
      <span class="dot" aria-hidden="true" /> {WORDS[connection]}
    </span>
  );
}
