/** An abort signal that is made when somebody asks for it: most steps never do, and making one costs microseconds. */
export class Abort {
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }
}
