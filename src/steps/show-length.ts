const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

const MINUTE_MS = 60_000;

/** A length of time for readers, in its two largest units: `350 ms`, `2.5 s`, `1 h 30 min`. What is smaller is cut off. */
export function showLength(ms: number): string {
  if (ms < 1_000) return `${Math.floor(ms)} ms`;
  if (ms < MINUTE_MS) return `${Math.floor(ms) / 1_000} s`;
  const largest = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  let leftMs = ms;
  const parts: string[] = [];
  for (const [unit, unitMs] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}
