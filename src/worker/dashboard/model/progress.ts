/** How far an execution says it is: a share where it can be told from what it says, and a text. */
export interface ShownProgress {
  readonly share: number | undefined;
  readonly text: string;
}

const TEXT_LENGTH = 80;

/** Names under which people write how much there is in all, and how much is done. */
const WHOLES = ["of", "total", "all", "outOf"];
const PERCENTS = ["percent", "percentage"];

/**
 * `setProgress` takes any value. A share is shown of a number from 0 to 1, of `{ percent }`, and of two numbers of which
 * one is called `of` or `total`; everything else is a text.
 */
export function progressOf(value: unknown): ShownProgress | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0 && value <= 1) return { share: value, text: percentText(value) };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { share: undefined, text: cut(value) };
  const numbers = Object.entries(value).filter((field): field is [string, number] => typeof field[1] === "number");
  const percent = numbers.find(([name]) => PERCENTS.includes(name))?.[1];
  if (percent !== undefined) return { share: within(percent / 100), text: percentText(within(percent / 100)) };
  const whole = numbers.find(([name]) => WHOLES.includes(name))?.[1];
  const done = numbers.find(([name]) => !WHOLES.includes(name))?.[1];
  if (whole === undefined || done === undefined || whole <= 0) return { share: undefined, text: cut(value) };
  return { share: within(done / whole), text: `${done} of ${whole}` };
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function percentText(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function cut(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH)}…` : text;
}
