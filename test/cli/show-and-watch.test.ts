import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, document, down, flat, problem, scripted, view } from "../client/scripted-server.ts";
import { NOW, runCli } from "./run-cli.ts";

const AT = NOW - 10_000;

const journal = [
  { entry: 0, type: "started", at: AT, input: { sku: "lamp" } },
  { entry: 1, type: "attempt-started", op: 0, kind: "step", name: "charge", attempt: 1, at: AT },
  {
    entry: 2,
    type: "attempt-failed",
    op: 0,
    attempt: 1,
    failure: { name: "Error", message: "\u001b[2Jgone" },
    retryAt: AT + 5_000,
    because: "backoff",
    at: AT + 1_000,
  },
  { entry: 3, type: "attempt-started", op: 0, attempt: 2, at: AT + 5_000 },
  { entry: 4, type: "step-completed", op: 0, value: 1, at: AT + 6_000 },
  { entry: 5, type: "signal-awaited", op: 1, kind: "signal", name: "approval", signal: "approval", at: AT + 6_000 },
];

const waiting = view({
  startedAt: AT,
  version: "2",
  attributes: { customer: "c-7" },
  waitingFor: [
    { kind: "signal", name: "approval", because: "no timeout" },
    { kind: "sleep", name: "sleep", until: NOW + 90_000, because: "sleep" },
  ],
  steps: { running: 0, completed: 1 },
  unreadSignals: 1,
  usage: { entries: 6, operations: 2, journalBytes: 100, rowsWritten: 4, attempts: 2, bytes: 100 },
});
const asSent = journal.map((entry) => ({
  ...entry,
  ...("value" in entry && { value: flat(entry.value) }),
  ...("input" in entry && { input: flat(entry.input) }),
}));
const pages = [document(200, waiting), document(200, { entries: asSent, next: null })] as const;

describe("show", () => {
  it("shows what is known of an execution, and its operations over time", async () => {
    const { code, out } = await runCli(["show", "order/o-1"], { fetch: scripted(...pages).fetch, columns: 86 });
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "order/o-1  waiting",
      "  version     2",
      "  started     2026-11-30 12:00:00Z (10 s ago)",
      "  waits for   signal approval: no timeout",
      "              sleep sleep until 2026-11-30 12:01:40Z (in 1 min 30 s): sleep",
      "  steps       1 completed",
      "  attributes  customer=c-7",
      "  unread      1 signal",
      "  used        4 rows, 2 attempts, 6 entries",
      "",
      "                         0                  ┤ 10 s",
      "charge                   ██░░░░░░░███         6 s, 2 attempts",
      "approval                            ░░░░░░░░░ 4 s",
      "",
    ]);
  });

  it("prints the journal entry by entry, and no control character of it", async () => {
    const { out } = await runCli(["show", "order/o-1", "--journal"], { fetch: scripted(...pages).fetch });
    expect(out.split("\n").slice(-7)).toEqual([
      '    0.000s                        started with {"sku":"lamp"}',
      "    0.000s  charge                attempt 1: attempt started",
      "    1.000s  charge                attempt 1: failed: \\u001b[2Jgone; waits for its backoff until 12:00:05.000 (4 s)",
      "    5.000s  charge                attempt 2: attempt started",
      "    6.000s  charge                completed",
      "    6.000s  approval              waits for the signal",
      "",
    ]);
  });

  it("prints one document with --json, and colours only where they are wanted", async () => {
    const json = await runCli(["show", "order/o-1", "--json"], { fetch: scripted(...pages).fetch, colours: true });
    expect(JSON.parse(json.out)).toMatchObject({ execution: { state: "waiting", version: "2" }, journal });
    const coloured = await runCli(["show", "order/o-1"], { fetch: scripted(...pages).fetch, colours: true });
    expect(coloured.out.startsWith("\u001b[33morder/o-1  waiting\u001b[0m\n")).toBe(true);
  });
});

/** A stream of these entries that then ends, or breaks off. */
function events(entries: readonly object[], isCut = false): Answer {
  return () => {
    const text = entries.map((entry) => `id: 1\nevent: x\ndata: ${JSON.stringify(entry)}\n\n`).join(": still here\n\n");
    // In pieces, as they may come: in the middle of a line, and of a character.
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) return controller.enqueue(piece);
        return isCut ? controller.error(new TypeError("terminated")) : controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

/** As `runCli`; time passes only where nothing else can happen. */
async function watch(args: readonly string[], { fetch }: { readonly fetch: typeof globalThis.fetch }) {
  const done: Awaited<ReturnType<typeof runCli>>[] = [];
  const running = runCli(["watch", "order/o-1", ...args], { fetch }).then((ran) => done.push(ran));
  while (done[0] === undefined) {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (done[0] === undefined && vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  }
  await running;
  return done[0];
}

const over: Answer = () => new Response(null, { status: 204 });
const completed = document(200, { kind: "completed", value: -1 });
const end = { entry: 6, type: "completed", value: "✓", at: AT + 7_000 };

describe("watch", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  const entriesIn = (out: string) =>
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).entry);

  it("prints every entry until the end, which the exit code tells", async () => {
    const server = scripted(events([...journal, end]), over, completed);
    const { code, out, notes } = await watch([], server);
    expect(code).toBe(0);
    expect(out.split("\n").at(-2)).toBe('    7.000s                        completed: "✓"');
    expect(notes).toBe("watching order/o-1 until it has ended\n");
    expect(server.got[0]?.headers.get("authorization")).toBe("Bearer full-token");
    expect(server.lines()[0]).toBe("GET /flows/v1/workflows/order/executions/o-1/events?from=0");
  });

  it("goes on after the last entry it has seen, whatever happens to the connection", async () => {
    const answers = [
      events(journal.slice(2, 4), true),
      down,
      problem(503, "UNAVAILABLE"),
      events([...journal.slice(4), end]),
    ];
    const server = scripted(events([]), ...answers, over, document(200, { kind: "cancelled" }));
    const { code, out, notes } = await watch(["--from", "2", "--json"], server);
    expect([code, entriesIn(out)]).toEqual([4, [2, 3, 4, 5, 6]]);
    expect(server.lines().map((line) => line.split("?")[1])).toEqual([
      "from=2",
      "from=2",
      "from=4",
      "from=4",
      "from=4",
      "from=7",
      undefined,
    ]);
    expect(notes.match(/the connection was lost; trying again/g)).toHaveLength(3);
  });

  it("gives up after five connections that brought nothing", async () => {
    const server = scripted(down);
    const { code, notes } = await watch([], server);
    expect([code, server.got.length]).toEqual([6, 5]);
    expect(notes).toContain("No answer: fetch failed");
  });

  it("asks only once where it is refused", async () => {
    const server = scripted(problem(404, "NOT_FOUND"));
    const { code } = await watch([], server);
    expect([code, server.got.length]).toEqual([1, 1]);
  });

  it("takes a connection that is silent for 45 seconds for dead", async () => {
    const silent: Answer = (_got, signal) => {
      const body = new ReadableStream({
        start: (controller) => signal.addEventListener("abort", () => controller.error(signal.reason)),
      });
      return new Response(body);
    };
    const server = scripted(silent, events([end]), over, completed);
    const { code, out } = await watch(["--json"], server);
    expect([code, entriesIn(out)]).toEqual([0, [6]]);
    expect((server.got[1]?.at ?? 0) - (server.got[0]?.at ?? 0)).toBeGreaterThanOrEqual(45_000);
  });
});
