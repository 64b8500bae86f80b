import { LIMITS } from "../limits.ts";

/** What a part takes in memory besides its text, roughly: so many small ones are as heavy as a long text. */
const PART_LENGTH = 32;

/**
 * What is written again because it is referred to more than once. A value of a few bytes can refer to a long part of it a
 * million times, so whoever writes it out has to stop repeating at some point.
 */
export class Repeats {
  /** How many of the objects around this place have been written before. */
  #depth = 0;
  #length = 0;

  /** From now on what was written before is referred to. */
  get areTooMany(): boolean {
    return this.#length > LIMITS.valueBytesCeiling;
  }

  /** What comes now belongs to an object that has been written before, if `isKnown`; to be left again. */
  enter(isKnown: boolean): void {
    if (isKnown) this.#depth += 1;
  }

  leave(isKnown: boolean): void {
    if (isKnown) this.#depth -= 1;
  }

  /** A part is written. */
  part(): void {
    if (this.#depth > 0) this.#length += PART_LENGTH;
  }

  /** And its text, which may be the name of a field. */
  text(text: string): string {
    if (this.#depth > 0) this.#length += text.length;
    return text;
  }

  /** Or its bytes, which count as they are. */
  bytes(bytes: Uint8Array): Uint8Array {
    if (this.#depth > 0) this.#length += bytes.length;
    return bytes;
  }
}
