import { signal } from "@preact/signals";

/** Below it the difference of two clocks cannot be told from the time that an answer takes. */
const NOTICED_MS = 2_000;
const TICK_MS = 500;

let skewMs = 0;

/** The time by the Worker's clock, by which everything that is shown was journaled. */
export const now = signal(Date.now());

/** Takes the difference of the clocks from the date of an answer. */
export function noticeDate(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  const difference = at - Date.now();
  skewMs = Math.abs(difference) < NOTICED_MS ? 0 : difference;
}

/** Lets the time that is shown go on, as long as somebody can see it. */
export function startClock(): void {
  setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (document.visibilityState === "visible") now.value = Date.now() + skewMs;
}
