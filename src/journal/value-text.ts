/** `btoa` of the web platform, which Node and workerd both have. */
interface Base64Runtime {
  btoa(binary: string): string;
}

// The pure folders are compiled without any platform's types.
const runtime = globalThis as unknown as Base64Runtime;

/** Arguments of one call of `String.fromCharCode`: engines bound them by their stack. */
const CHUNK_BYTES = 0x2000;

/** Bytes in UTF-8 of the character at `index`; a lone surrogate counts as the three bytes of its replacement. */
function widthAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isBetween(unit, 0xd800, 0xdbff) && isBetween(text.charCodeAt(index + 1), 0xdc00, 0xdfff) ? 4 : 3;
}

/** False for the `NaN` beyond the end of a text. */
function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

/** Only a pair of surrogates has four bytes. */
function unitsOf(width: number): number {
  return width === 4 ? 2 : 1;
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length;) {
    const width = widthAt(text, index);
    bytes += width;
    index += unitsOf(width);
  }
  return bytes;
}

/** The longest start of `text` that has at most `maximumBytes` in UTF-8 and splits no character. */
export function truncateUtf8(text: string, maximumBytes: number): string {
  if (text.length * 3 <= maximumBytes) return text;
  let bytes = 0;
  for (let index = 0; index < text.length;) {
    const width = widthAt(text, index);
    bytes += width;
    if (bytes > maximumBytes) return text.slice(0, index);
    index += unitsOf(width);
  }
  return text;
}

/** Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return runtime.btoa(binary);
}

/** Base64 in the alphabet of URLs and headers, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
