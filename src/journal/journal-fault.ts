/** The journal contradicts itself: it was not written by this engine, or storage lost a part of it. */
export class JournalFault extends Error {
  override readonly name = "JournalFault";
  constructor(detail: string) {
    super(`Cannot read the journal as it contradicts itself: ${detail}.`);
  }
}
