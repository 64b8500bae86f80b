/** Characters by which a text changes the direction or the looks of what stands beside it, and shows nothing itself. */
const UNSEEN = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** What joins the parts of an emoji, or the letters of some scripts: it is seen by what it makes. */
const JOINERS = new Set(["\u200C", "\u200D"]);

/** A value as JSON, laid out to be read. What cannot be seen in it is written as an escape, as JSON allows. */
export function valueText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSEEN, (character) => {
    if (JOINERS.has(character)) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** `1 signal`, `2 signals`. */
export function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
