import { describe, expect, it } from "vitest";
import { type Answer, document, problem, scripted, UUID_7 } from "../client/scripted-server.ts";
import { NOW, runCli } from "./run-cli.ts";

const SCHEDULES = "/flows/v1/schedules";

const nightly = {
  name: "nightly",
  workflow: "report",
  cron: "30 2 * * *",
  timeZone: "Europe/Berlin",
  paused: false,
  nextAt: NOW + 60_000,
  nextTimes: [],
  pending: [],
  lastStart: { id: "nightly.20261130T013000Z", workflow: "report", outcome: "completed", links: {} },
  links: {},
};
const yearly = { ...nightly, name: "yearly", cron: "0 0 1 1 *", timeZone: "UTC", nextAt: null, lastStart: undefined };
const paused = { ...nightly, paused: true, nextAt: null, lastStart: { id: "n.1", purged: true } };

async function against(args: readonly string[], ...answers: readonly [Answer, ...Answer[]]) {
  const server = scripted(...answers);
  return { ...(await runCli(["schedules", ...args], { fetch: server.fetch })), server };
}

describe("schedules", () => {
  it("prints a line for each, and how many there are", async () => {
    const running = { ...nightly, name: "hourly", lastStart: { id: "h.1", workflow: "report", links: {} } };
    const { code, out, notes } = await against([], document(200, { schedules: [nightly, yearly, running] }));
    expect([code, notes]).toEqual([0, "3 schedules\n"]);
    expect(out.split("\n")).toEqual([
      "nightly  report  30 2 * * * Europe/Berlin  next 2026-11-30 12:01:10Z  last nightly.20261130T013000Z completed",
      "yearly   report  0 0 1 1 * UTC             no more times              never started",
      "hourly   report  30 2 * * * Europe/Berlin  next 2026-11-30 12:01:10Z  last h.1 not ended",
      "",
    ]);
  });

  it("prints nothing where there is none, and the documents for programs", async () => {
    expect(await against([], document(200, { schedules: [] }))).toMatchObject({ out: "", notes: "0 schedules\n" });
    const { out } = await against(["--json"], document(200, { schedules: [nightly] }));
    expect(JSON.parse(out)).toEqual(nightly);
  });

  it.each(["pause", "resume"])("are told to %s, and shown as they then are", async (action) => {
    const { code, out, server } = await against([action, "nightly"], document(202, paused));
    expect([code, server.lines()]).toEqual([0, [`POST ${SCHEDULES}/nightly/${action}`]]);
    expect(out).toBe("nightly  report  30 2 * * * Europe/Berlin  paused  last n.1 purged\n");
  });

  it.each([
    [201, [], "was started"],
    [200, ["--idempotency-key", "k"], "was there already"],
    [202, [], "is still to be started"],
  ])("are triggered: %i, %j", async (status, options, said) => {
    const triggered = document(status, { workflow: "report", id: "nightly.trigger-1", links: {} });
    const list = document(200, { schedules: [nightly] });
    const { code, out, notes, server } = await against(["trigger", "nightly", ...options], list, triggered);
    expect([code, out]).toEqual([0, "report/nightly.trigger-1\n"]);
    expect(notes).toBe(`report/nightly.trigger-1 ${said}\n`);
    expect(server.lines()).toEqual([`GET ${SCHEDULES}`, `POST ${SCHEDULES}/nightly/trigger`]);
    const key = server.got[1]?.headers.get("idempotency-key") ?? "";
    expect(options.length === 0 ? UUID_7.test(key) : key).toBe(options.length === 0 ? true : "k");
  });

  it("that the Worker does not have are its refusal", async () => {
    const { code, notes } = await against(["pause", "weekly"], problem(404, "NOT_FOUND"));
    expect([code, notes]).toEqual([1, "NOT_FOUND (404): Cannot: NOT_FOUND\n"]);
  });

  it("are not guessed: an unknown action and a missing name are wrong usage", async () => {
    const unknown = await runCli(["schedules", "stop", "nightly"]);
    expect([unknown.code, unknown.notes]).toEqual([
      2,
      'Cannot use ACTION as it must be one of pause, resume, trigger: current value is "stop"\n',
    ]);
    const missing = await runCli(["schedules", "pause"]);
    expect([missing.code, missing.notes]).toEqual([2, "Cannot pause as it needs SCHEDULE: current value is missing\n"]);
  });
});
