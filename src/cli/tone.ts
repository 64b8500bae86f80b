/** How a line is meant; a terminal shows it as a colour. */
export type Tone = "plain" | "good" | "bad" | "waiting" | "quiet";

const COLOUR_CODES: Readonly<Record<Tone, number>> = { plain: 0, good: 32, bad: 31, waiting: 33, quiet: 2 };

export function coloured(text: string, tone: Tone): string {
  return tone === "plain" ? text : `\u001b[${COLOUR_CODES[tone]}m${text}\u001b[0m`;
}
