import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { document, problem, scripted } from "../client/scripted-server.ts";
import { runCli } from "./run-cli.ts";

const workflows = document(200, {
  workflows: [
    { name: "order", version: "1", signals: ["old"] },
    { name: "order", version: "2", signals: ["approval", "note"] },
    { name: "report", signals: [] },
  ],
});
const schedules = document(200, { schedules: [{ name: "nightly" }, { name: "noon" }, { name: "weekly" }] });
const ids = document(200, {
  executions: Array.from({ length: 100 }, (_, index) => ({ id: `o-${index}` })),
  next: "more",
});

async function candidates(words: readonly string[], answer = workflows) {
  const server = scripted(answer);
  const { out } = await runCli(["complete", "--", ...words], { fetch: server.fetch });
  return { candidates: out.split("\n").slice(0, -1), lines: server.lines() };
}

describe("completion", () => {
  it.each([
    [[""], Object.keys(COMMANDS)],
    [["s"], ["show", "start", "signal", "schedules"]],
    [
      ["schedules", ""],
      ["pause", "resume", "trigger"],
    ],
    [
      ["list", "--st"],
      ["--state", "--started-after", "--started-before"],
    ],
    [
      ["list", "--state", ""],
      ["running", "waiting", "paused", "completed", "failed", "cancelled"],
    ],
    [["list", "--state", "=", "pa"], ["paused"]],
    [["list", "--order", "o"], ["oldest"]],
    [["list", "--limit", ""], []],
    [
      ["completion", ""],
      ["bash", "zsh"],
    ],
    [["nothing", ""], []],
    [["constructor", ""], []],
    [["list", ""], []],
  ])("of %j asks nobody", async (words, expected) => {
    expect(await candidates(words)).toEqual({ candidates: expected, lines: [] });
  });

  it.each([
    [
      ["start", ""],
      ["order", "report"],
    ],
    [["list", "--workflow", "re"], ["report"]],
    [["list", "--json", "--workflow", "re"], ["report"]],
    [["show", "or"], ["order/"]],
    [
      ["signal", "order/o-1", ""],
      ["approval", "note"],
    ],
    [["signal", "--idempotency-key", "a/b", "order/o-1", "n"], []],
  ])("of %j asks which workflows there are", async (words, expected) => {
    expect(await candidates(words)).toEqual({ candidates: expected, lines: ["GET /flows/v1/workflows"] });
  });

  it("of an id asks the directory for those that begin so, and takes no more of them than help anybody", async () => {
    const { candidates: found, lines } = await candidates(["cancel", "--reason", "late", "order/o"], ids);
    expect([found.length, found[0], found[49]]).toEqual([50, "order/o-0", "order/o-49"]);
    expect(lines).toEqual(["GET /flows/v1/executions?idPrefix=o&workflow=order&limit=100"]);
  });

  it("of a schedule asks which there are", async () => {
    expect(await candidates(["schedules", "pause", "n"], schedules)).toEqual({
      candidates: ["nightly", "noon"],
      lines: ["GET /flows/v1/schedules"],
    });
  });

  it("asks the Worker that the line names", async () => {
    const server = scripted(workflows);
    await runCli(["complete", "--", "show", "--url", "https://other.example.com", "o"], { fetch: server.fetch });
    expect(server.lines()).toEqual(["GET /v1/workflows"]);
  });

  it("offers nothing where the Worker refuses, and says so to whoever asks by hand", async () => {
    const { code, out, notes } = await runCli(["complete", "--", "show", "o"], {
      fetch: scripted(problem(401, "UNAUTHORIZED")).fetch,
    });
    expect([code, out, notes]).toEqual([1, "", "UNAUTHORIZED (401): Cannot: UNAUTHORIZED\n"]);
  });
});
