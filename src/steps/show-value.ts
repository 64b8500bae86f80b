/** Long enough to recognise a value by, short enough for a log line. */
const SHOWN_LENGTH = 100;

/** How an error message shows a value that was refused. The contents of objects, maybe secrets, stay out of it. */
export function showValue(value: unknown): string {
  if (typeof value === "string") {
    return value.length > SHOWN_LENGTH ? `${JSON.stringify(value.slice(0, SHOWN_LENGTH))}…` : JSON.stringify(value);
  }
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
