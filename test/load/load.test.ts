import { describe, expect, it } from "vitest";
import { AskedExecutions } from "./asked.ts";
import type { Answers } from "./drive.ts";
import { percentile, reportLines, trafficFaults, verdictLines } from "./report.ts";
import { KINDS, outputFault, roundOf, type Kind, type Told } from "./traffic.ts";

interface Made {
  readonly setupRequest: (defaults: object, context: object) => { readonly path: string; readonly body: string };
  readonly onResponse: (status: number, body: string, context: object) => void;
}

/** One round of one connection, with these answers to all of its requests. */
function playRound(answer: (path: string) => readonly [status: number, document: object]) {
  const asked = new AskedExecutions();
  const told: Told[] = [];
  const context = {};
  // The cast: as they were made, before autocannon takes file names and nothing in their place.
  for (const { setupRequest, onResponse } of roundOf(asked, (one) => told.push(one)) as unknown as readonly Made[]) {
    const { path } = setupRequest({}, context);
    const [status, document] = answer(path);
    onResponse(status, JSON.stringify(document), context);
  }
  return { asked, told, faults: told.flatMap(({ fault }) => fault ?? []) };
}

function rightAnswer(path: string): readonly [number, object] {
  if (path === "/v1/workflows/add/executions") return [201, { id: "a-1", state: "waiting" }];
  if (path === "/v1/workflows/double/executions") return [201, { id: "d-0", state: "completed" }];
  if (path.endsWith("/signals/number")) return [202, { accepted: true, duplicate: false }];
  if (path.endsWith("/a-1/result")) return [200, { kind: "completed", value: { sum: 8 } }];
  if (path.endsWith("/d-0/result")) return [200, { kind: "completed", value: { doubled: 0 } }];
  return [200, { id: "a-1" }];
}

describe("a round of the load", () => {
  it("has every kind of request, and no fault where all is answered right", () => {
    const { asked, told, faults } = playRound(rightAnswer);
    expect(faults).toEqual([]);
    expect(asked.all.map(({ id, isStarted }) => [id, isStarted])).toEqual([
      ["d-0", true],
      ["a-1", true],
    ]);
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  it.each([
    ["a refused start", "/add/executions", [503, { code: "UNAVAILABLE" }], "was answered with 503"],
    ["a start that was there before", "/add/executions", [200, { id: "a-1" }], "was answered with 200"],
    ["one that has not ended in time", "/double/executions", [201, { state: "waiting" }], 'answered with {"state":"wa'],
    ["the view of another", "/executions/a-1", [200, { id: "a-3" }], "has the id a-3"],
    ["a signal that is not taken", "/signals/number", [429, { code: "SIGNAL_LIMIT" }], "was answered with 429"],
    ["a wrong result", "/a-1/result", [200, { kind: "completed", value: { sum: 9 } }], 'instead of {"sum":8}'],
    ["a failure", "/d-0/result", [200, { kind: "failed", code: "X" }], "has the result"],
  ] as const)("finds %s", (...[, end, answer, fault]) => {
    const { faults } = playRound((path) => (path.endsWith(end) ? answer : rightAnswer(path)));
    expect(faults[0]).toContain(fault);
  });
});

describe("the look-up", () => {
  it("tells a wrong output from the right one", () => {
    const asked = new AskedExecutions().add();
    expect(outputFault(asked, { kind: "completed", value: { sum: 0 } })).toBeUndefined();
    expect(outputFault(asked, { kind: "completed", value: { sum: 1 } })).toContain("instead of");
    expect(outputFault(asked, { kind: "cancelled" })).toContain("cancelled");
  });
});

describe("the report", () => {
  const starts: Answers = {
    byStatus: new Map([
      [201, 3],
      [503, 1],
    ]),
    times: [40, 10, 30, 20],
  };
  const answers = new Map<Kind, Answers>([["start", starts]]);
  const traffic = { answers, seconds: 2, faults: [] };

  it("has percentiles, statuses and rates", () => {
    expect([0.5, 0.95, 1].map((share) => percentile([10, 20, 30, 40], share))).toEqual([20, 40, 40]);
    const lines = reportLines({ traffic, connections: 7, executions: 6, memoryMib: [1, 2, 3] });
    expect(lines).toContain("| start | 4 | 3 × 201, 1 × 503 | 20 ms | 40 ms | 40 ms | 40 ms |");
    expect(lines).toContain("4 answers in 2 s over 7 connections: 2 a second");
  });

  it("makes a fault of every 5xx, and of every kind of request that was not answered", () => {
    const whole = new Map(KINDS.map((kind) => [kind, starts]));
    const faults = trafficFaults({ ...traffic, answers: whole });
    expect(faults).toEqual(KINDS.map((kind) => `1 answers to ${kind} were 503`));
    whole.delete("list");
    expect(trafficFaults({ ...traffic, answers: whole })[0]).toBe("nothing was answered to list");
    expect(verdictLines(faults).at(-1)).toBe("8 faults");
    expect(verdictLines([])).toEqual([expect.stringContaining("nothing lost")]);
  });
});
