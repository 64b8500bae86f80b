import { type JsonValue, toPlainJson } from "../journal/plain-json.ts";
import { coloured, type Tone } from "./tone.ts";

/** What the command sees of the process that it runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the terminal, or of a file as wide as most of them are. */
  readonly columns: number;
  readonly colours: boolean;
  readonly write: (text: string) => void;
  readonly writeNote: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly now: () => number;
  readonly fetch: typeof fetch;
}

/** C0, DEL and C1: a failure's message must not move the cursor, nor a name set the title of the window. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** Results go to the output, what is said about them beside it. All that is written goes through here. */
export class Terminal {
  readonly surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  line(text: string, tone: Tone = "plain"): void {
    const safe = printable(text);
    this.surroundings.write(`${this.surroundings.colours ? coloured(safe, tone) : safe}\n`);
  }

  /** What is no result: progress, hints. */
  note(text: string): void {
    this.surroundings.writeNote(`${printable(text)}\n`);
  }

  /** One JSON document on one line. */
  json(value: unknown): void {
    this.surroundings.write(`${plainText(value).replace(CONTROL, escaped)}\n`);
  }

  /** What is not for readers but for a shell or a file, and was made by this program. */
  text(text: string): void {
    this.surroundings.write(text.endsWith("\n") ? text : `${text}\n`);
  }
}

function printable(text: string): string {
  return text.replace(CONTROL, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A value as JSON. */
export function plainText(value: unknown): string {
  const json: JsonValue = toPlainJson(value);
  return JSON.stringify(json);
}
