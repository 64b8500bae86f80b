import type {
  ExecutionPort,
  ExecutionView,
  Refused,
  SignalRequest,
  StartRequest,
  Unacceptable,
} from "../../../src/execution/wire.ts";
import type { ExecutionStub } from "../../../src/durable-object/execution-stub.ts";
import type { CopyJournal, ForkRequest } from "../../../src/execution/wire-fork.ts";
import { encodeValue } from "../../../src/journal/value.ts";

export const NO_STEPS = { running: 0, waiting: 0, completed: 0, exhausted: 0, failed: 0, cancelled: 0, abandoned: 0 };

export function encoded(value: unknown): string {
  return encodeValue(value, 64 * 1_024 * 1_024);
}

interface Stored {
  view: ExecutionView;
  inputHash: string;
  keys: Set<string>;
}

interface Call {
  readonly name: string;
  readonly method: keyof ExecutionPort;
  readonly argument: unknown;
}

/** Execution objects that keep what they are told and do nothing else, behind a namespace as the platform has it. */
export class FakeExecutions {
  readonly calls: Call[] = [];
  readonly stored = new Map<string, Stored>();
  /** What the next calls throw, as a platform that lost the object does. */
  readonly faults: unknown[] = [];
  /** What the next change is refused with. */
  refusal: Refused | undefined;
  /** The text of the stream of events; without it everything was seen. */
  events: string | undefined;
  /** Requests for WebSockets, which are all answered as if nothing was there. */
  readonly handshakes: Request[] = [];
  /** What the next answer to a callback meets. */
  unacceptable: Unacceptable | undefined;
  entries = "[]";
  next: number | null = null;
  values = new Map<number, string>();

  readonly namespace = {
    idFromName: (name: string) => name,
    get: (id: unknown) => this.#stub(String(id)),
  };

  /** An execution that is there already. */
  put(name: string, view: Partial<ExecutionView> = {}): void {
    const [workflow = "", id = ""] = name.split("/");
    this.stored.set(name, { view: { ...viewOf(workflow, id), ...view }, inputHash: "", keys: new Set() });
  }

  /** What the last call of a method was given. */
  last<Method extends keyof ExecutionPort>(method: Method): Parameters<ExecutionPort[Method]>[0] {
    const call = this.calls.findLast((candidate) => candidate.method === method);
    if (call === undefined) throw new Error(`${method} was not called`);
    // The cast: each method records its own parameter.
    return call.argument as Parameters<ExecutionPort[Method]>[0];
  }

  #stub(name: string): ExecutionStub {
    const found = <Answer>(method: keyof ExecutionPort, argument: unknown, answer: (stored: Stored) => Answer) => {
      this.calls.push({ name, method, argument });
      if (this.faults.length > 0) return Promise.reject(this.faults.shift());
      const stored = this.stored.get(name);
      return Promise.resolve(stored === undefined ? ({ kind: "absent" } as const) : answer(stored));
    };
    return {
      start: (request) => this.#start(name, request),
      // Nobody but the directory asks.
      listed: async () => ({ kind: "absent" }),
      view: () => found("view", undefined, ({ view }) => ({ kind: "found", view }) as const),
      result: (waitMs) => found("result", waitMs, ({ view }) => ({ kind: "found", view }) as const),
      signal: (request) => found("signal", request, (stored) => this.refusal ?? takeSignal(stored, request)),
      answerCallback: (request) =>
        found(
          "answerCallback",
          request,
          () => this.refusal ?? this.unacceptable ?? ({ kind: "answered", duplicate: false } as const),
        ),
      command: (request) =>
        found(
          "command",
          request,
          ({ view }) =>
            this.refusal ??
            ({ kind: "done", changed: view.state !== "paused" || request.command !== "pause", view } as const),
        ),
      journal: (request) =>
        found("journal", request, () => ({ kind: "page", entries: this.entries, next: this.next }) as const),
      value: async (entry) => {
        const answer = await found("value", entry, () => this.values.get(entry));
        if (answer === undefined) return { kind: "absent" };
        return typeof answer === "string" ? { kind: "value", value: answer } : answer;
      },
      events: (request) =>
        found("events", request, () =>
          this.events === undefined
            ? ({ kind: "over" } as const)
            : ({ kind: "events", ...(request.isOpened && { stream: new Blob([this.events]).stream() }) } as const),
        ),
      fetch: async (request) => {
        this.handshakes.push(request);
        return Response.json({ kind: "absent" });
      },
      watch: (request) => found("watch", request, () => ({ kind: "watched" }) as const),
      told: (request) => found("told", request, () => ({ kind: "heard" }) as const),
      cut: (request) =>
        found(
          "cut",
          request,
          () => this.refusal ?? ({ kind: "cut", entry: 1, cutAt: 1_000, startedAt: 1_000 } as const),
        ),
      copy: (request) => found("copy", request, () => ({ kind: "page", rows: [], parts: [], next: null }) as const),
      fork: (request, copy) => this.#fork(name, request, copy),
      purge: () => found("purge", undefined, () => this.refusal ?? ({ kind: "purged" } as const)),
    };
  }

  /** Asks for one page of the original, as whoever copies does. */
  async #fork(name: string, request: ForkRequest, copy: CopyJournal): ReturnType<ExecutionPort["fork"]> {
    this.calls.push({ name, method: "fork", argument: request });
    if (this.faults.length > 0) throw this.faults.shift();
    const { workflow, id, of, cut, startedAt } = request;
    const stored = this.stored.get(name);
    if (stored !== undefined && stored.view.forkedFrom?.id !== of) {
      return { kind: "refused", code: "ID_CONFLICT", message: "Cannot fork as the id is taken" };
    }
    if (stored !== undefined) return { kind: "forked", created: false, view: stored.view };
    const page = await copy({ startedAt, cut, place: { kind: "row", seq: 0 } });
    if (page.kind === "absent") return page;
    this.put(name, { forkedFrom: { id: of, entry: cut, at: 2_000 } });
    return { kind: "forked", created: true, view: this.stored.get(name)?.view ?? viewOf(workflow, id) };
  }

  async #start(name: string, request: StartRequest): ReturnType<ExecutionPort["start"]> {
    this.calls.push({ name, method: "start", argument: request });
    if (this.faults.length > 0) throw this.faults.shift();
    if (this.refusal !== undefined) return this.refusal;
    const stored = this.stored.get(name);
    if (stored === undefined) {
      const view = viewOf(request.workflow, request.id);
      this.stored.set(name, { view, inputHash: request.inputHash, keys: new Set() });
      return { kind: "started", created: true, view };
    }
    if (stored.inputHash === request.inputHash) return { kind: "started", created: false, view: stored.view };
    return { kind: "refused", code: "ID_CONFLICT", message: "Cannot start as the id is taken" };
  }
}

function takeSignal(stored: Stored, { key }: SignalRequest) {
  const duplicate = key !== undefined && stored.keys.has(key);
  if (key !== undefined) stored.keys.add(key);
  return { kind: "accepted", duplicate, view: stored.view } as const;
}

function viewOf(workflow: string, id: string): ExecutionView {
  return {
    id,
    workflow,
    state: "running",
    startedAt: 1_000,
    attributes: {},
    waitingFor: [],
    steps: NO_STEPS,
    unreadSignals: 0,
    usage: { rowsWritten: 1, attempts: 0, bytes: 100, entries: 1, operations: 0, journalBytes: 100 },
  };
}
