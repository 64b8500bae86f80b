import type { BlobPart, JournalRow, JournalStaging } from "../execution/ports.ts";
import type { MemoryStorage } from "./memory-storage.ts";

export type StagingOperation = "stage" | "adopt" | "discard";

/** The copy of another journal in the storage of one object, of which each operation may be its last. */
export class MemoryStaging implements JournalStaging {
  readonly #storage: MemoryStorage;
  readonly #operate: (kind: StagingOperation, act: () => void) => void;

  constructor(storage: MemoryStorage, operate: (kind: StagingOperation, act: () => void) => void) {
    this.#storage = storage;
    this.#operate = operate;
  }

  get isUsed(): boolean {
    return this.#storage.isStaged;
  }

  add(rows: readonly JournalRow[], parts: readonly BlobPart[]): void {
    this.#operate("stage", () => this.#storage.stage(rows, parts));
  }

  adopt(): void {
    this.#operate("adopt", () => this.#storage.adoptStaged());
  }

  discard(): void {
    this.#operate("discard", () => this.#storage.discardStaged());
  }
}
