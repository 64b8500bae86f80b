import { describe, expect, it, vi } from "vitest";
import { type Answer, document, down, flat, problem, scripted, UUID_7, view } from "../client/scripted-server.ts";
import { settled } from "../support/virtual-time.ts";
import { NOW, runCli } from "./run-cli.ts";

const AT = NOW - 10_000;
const EXECUTION = "/flows/v1/workflows/order/executions/o-1";

/** Runs the command against a server that answers so. */
async function against(args: readonly string[], ...answers: readonly [Answer, ...Answer[]]) {
  const server = scripted(...answers);
  return { ...(await runCli(args, { fetch: server.fetch })), server };
}

const listed = (executions: readonly unknown[], next: string | null = null) => document(200, { executions, next });
const summary = (id: string, more = {}) => ({
  id,
  workflow: "order",
  state: "failed",
  startedAt: AT,
  endedAt: AT + 2_500,
  code: "OUT_OF_STOCK",
  attributes: { customer: "c-7" },
  ...more,
});

describe("list", () => {
  it("prints a line for each execution, and how many there are", async () => {
    const { code, out, notes } = await against(
      ["list"],
      listed([summary("o-1"), summary("o-10", { state: "paused" })]),
    );
    expect(out.split("\n")).toEqual([
      "order/o-1   failed  2026-11-30 12:00:00Z  took 2.5 s  OUT_OF_STOCK customer=c-7",
      "order/o-10  paused  2026-11-30 12:00:00Z  took 2.5 s  OUT_OF_STOCK customer=c-7",
      "",
    ]);
    expect([code, notes]).toEqual([0, "2 executions\n"]);
  });

  it("sends every filter, and the token", async () => {
    const filters = ["--workflow=order", "--state=paused", "--attribute=a=b", "--attribute", "n=5", "--id-prefix=o"];
    const times = ["--started-after", "2026-11-30T12:00:00Z", "--started-before=1796040010000", "--order", "oldest"];
    const { server } = await against(["list", ...filters, ...times], listed([]));
    const query = new URL(server.got[0]?.path ?? "", "http://x").searchParams;
    expect(Object.fromEntries(query)).toEqual({
      workflow: "order",
      state: "paused",
      "attribute.a": "b",
      "attribute.n": "5",
      idPrefix: "o",
      startedAfter: String(AT),
      startedBefore: "1796040010000",
      order: "oldest",
      limit: "100",
    });
    expect(server.got[0]?.headers.get("authorization")).toBe("Bearer full-token");
  });

  it("stops at the limit, says that there are more, and asks for no further page", async () => {
    const page = listed([summary("o-1"), summary("o-2"), summary("o-3")], "next");
    const { out, notes, server } = await against(["list", "--limit", "2", "--json"], page);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual(["o-1", "o-2"]);
    expect([notes, server.got.length]).toEqual(["2 shown, there are more: --limit\n", 1]);
  });
});

describe("start", () => {
  it("prints the name of the new execution", async () => {
    const args = [
      "start",
      "order",
      '{"sku":"lamp"}',
      "--attribute",
      "express=true",
      "--start-at",
      "2026-12-01T00:00:00Z",
    ];
    const { code, out, notes, server } = await against([...args, "--deadline", "2h"], document(201, view()));
    expect([code, out, notes]).toEqual([0, "order/o-1\n", "order/o-1 was started\n"]);
    expect(server.got[0]?.body).toEqual({
      id: expect.stringMatching(UUID_7),
      input: flat({ sku: "lamp" }),
      startAt: Date.UTC(2026, 11, 1),
      deadline: 7_200_000,
      attributes: { express: true },
    });
  });

  it("takes an input from the input, and says what was there already", async () => {
    const server = scripted(document(200, view()));
    const ran = await runCli(["start", "order", "-", "--id", "o-1", "--json"], { fetch: server.fetch, input: "[1]\n" });
    expect(ran.out).toBe('{"workflow":"order","id":"o-1","created":false}\n');
    expect(ran.notes).toBe("order/o-1 was there already\n");
    expect(server.got[0]?.body).toMatchObject({ input: flat([1]) });
  });

  it.each([
    [document(200, { kind: "completed", value: flat({ n: 5n }) }), 0, 'completed: {"n":"5"}'],
    [
      document(200, { kind: "failed", declared: true, code: "GONE", message: "no", details: flat({ a: 1 }) }),
      3,
      'failed: GONE no {"a":1}',
    ],
    [document(200, { kind: "cancelled" }), 4, "cancelled"],
  ])("waits for the end where it is told to, and the exit code says which", async (outcome, exit, line) => {
    const { code, out } = await against(["start", "order", "--wait", "5s"], document(201, view()), outcome);
    expect([code, out]).toEqual([exit, `order/o-1\n${line}\n`]);
  });

  it("tells every issue of an input that does not fit", async () => {
    const issues = [
      { path: "input.sku", message: "must be text" },
      { path: "", message: "no" },
    ];
    const body = { status: 422, code: "VALIDATION_ERROR", detail: "Cannot accept", issues };
    const refusal = document(422, body, { "content-type": "application/problem+json" });
    const { code, out, notes } = await against(["start", "order", "1", "--json"], refusal);
    expect([code, JSON.parse(out)]).toEqual([1, body]);
    expect(notes).toBe("VALIDATION_ERROR (422): Cannot accept\n  input.sku: must be text\n  (all of it): no\n");
  });
});

describe("result", () => {
  it("says with its exit code that the execution has not ended", async () => {
    const { code, out, notes } = await against(["result", "order/o-1", "--timeout", "0"], document(202, view()));
    expect([code, out]).toEqual([5, ""]);
    expect(notes).toContain("did not end within 0");
  });
});

describe("signal, commands, fork and delete", () => {
  it("sends a signal once, under its key", async () => {
    const args = ["signal", "order/o-1", "approval", '{"ok":true}', "--idempotency-key", "k-1"];
    const { code, out, notes, server } = await against(args, document(202, { accepted: true, duplicate: false }));
    expect([code, out, notes]).toEqual([0, "", "order/o-1 has the signal approval\n"]);
    expect(server.lines()).toEqual([`POST ${EXECUTION}/signals/approval`]);
    expect(server.got[0]?.body).toEqual(flat({ ok: true }));
    expect(server.got[0]?.headers.get("idempotency-key")).toBe("k-1");
  });

  it.each(["cancel", "terminate", "pause", "resume"])("%s shows what the execution does then", async (verb) => {
    const answers = [document(202, view()), document(200, view({ state: "paused" }))] as const;
    const { code, out, server } = await against([verb, "order/o-1", "--reason", "late"], ...answers);
    expect(code).toBe(0);
    expect(server.lines()).toEqual([`POST ${EXECUTION}/${verb}`, `GET ${EXECUTION}`]);
    expect(server.got[0]?.body).toEqual({ reason: "late" });
    expect(out).toMatch(/^order\/o-1 {2}paused\n {2}started {5}/);
  });

  it.each([
    ["ship#2", "ship#2"],
    ["7", 7],
  ])("forks before %s, and prints the new name", async (before, sent) => {
    const args = ["fork", "order/o-1", "--before", before, "--id", "o-2"];
    const { out, server } = await against(args, document(201, view({ id: "o-2" })));
    expect([out, server.got[0]?.body]).toEqual(["order/o-2\n", { id: "o-2", before: sent }]);
  });

  it("deletes", async () => {
    const { code, notes, server } = await against(["delete", "order/o-1"], () => new Response(null, { status: 204 }));
    expect([code, notes, server.lines()]).toEqual([0, "order/o-1 was deleted\n", [`DELETE ${EXECUTION}`]]);
  });

  it("has exit code 1 where the Worker refuses", async () => {
    const { code, out, notes } = await against(["delete", "order/o-1"], problem(409, "EXECUTION_NOT_ENDED"));
    expect([code, out, notes]).toEqual([1, "", "EXECUTION_NOT_ENDED (409): Cannot: EXECUTION_NOT_ENDED\n"]);
  });
});

describe("a Worker that cannot be reached", () => {
  it("has exit code 6, after the tries of the client", async () => {
    vi.useFakeTimers();
    const { value } = await settled(against(["show", "order/o-1"], down));
    vi.useRealTimers();
    expect([value?.code, value?.notes, value?.server.got.length]).toEqual([6, "No answer: fetch failed\n", 5]);
  });

  it("is not what a fault of the command is taken for", async () => {
    const broken = () => {
      throw new SyntaxError("a fault");
    };
    const { fetch } = scripted(document(200, view()));
    await expect(runCli(["complete", "--", "show", "or"], { fetch: broken })).rejects.toThrow("a fault");
    await expect(runCli(["show", "order/o-1", "--url", "https://x"], { fetch })).rejects.toThrow(TypeError);
  });
});
