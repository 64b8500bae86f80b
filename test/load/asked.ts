/** An execution that a client has asked for, and what it must come to. */
export interface Asked {
  readonly workflow: "double" | "add";
  readonly id: string;
  readonly input: { readonly n: number };
  /** Of the signal that `add` waits for. */
  readonly signal?: { readonly m: number };
  readonly output: Readonly<Record<string, number>>;
  /** The Worker has said that it is started: it may not be lost any more. */
  isStarted: boolean;
}

/** Executions are told apart by this attribute, in so many groups. */
export const GROUPS = 50;

/** Every execution of a run, in the order in which they were asked for. */
export class AskedExecutions {
  readonly all: Asked[] = [];

  double(): Asked {
    const n = this.all.length;
    return this.#keep({ workflow: "double", id: `d-${n}`, input: { n }, output: { doubled: 2 * n }, isStarted: false });
  }

  add(): Asked {
    const n = this.all.length;
    const m = 7 * n;
    const output = { sum: n + m };
    return this.#keep({ workflow: "add", id: `a-${n}`, input: { n }, signal: { m }, output, isStarted: false });
  }

  #keep(asked: Asked): Asked {
    this.all.push(asked);
    return asked;
  }
}

export function groupOf({ input }: Asked): number {
  return input.n % GROUPS;
}

export function pathOf({ workflow, id }: Pick<Asked, "workflow" | "id">): string {
  return `/v1/workflows/${workflow}/executions/${id}`;
}
