/** A file that a build has put into a module, gzip in base64, as it was. */
export function embeddedFile(gzip: string): ReadableStream<Uint8Array> {
  const compressed = Uint8Array.from(atob(gzip), (character) => character.charCodeAt(0));
  return new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
}
