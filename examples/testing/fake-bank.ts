import type { Bank } from "./invoice.ts";

/** A bank that knows its keys, as a good one does: the same key again is the same hold. */
export class FakeBank implements Bank {
  readonly held = new Map<string, number>();
  readonly released: string[] = [];
  /** So many requests fail first. */
  failures = 0;

  async hold(cents: number, key: string) {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("the bank is closed");
    }
    this.held.set(key, cents);
    return { id: key };
  }

  async release(id: string) {
    if (this.held.delete(id)) this.released.push(id);
  }
}
