import { describe, expect, it } from "vitest";
import { Drive, type Round } from "../../src/execution/drive.ts";
import { Journal } from "../../src/execution/journal.ts";
import { WakeAlarm } from "../../src/execution/wake-alarm.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

/** What a drive does, in order, where its rounds end like this and in each of these something comes up. */
async function eventsOf(rounds: readonly { readonly end: Round; readonly comesUp: boolean }[]): Promise<string[]> {
  const events: string[] = [];
  const clock = new VirtualClock(1_000);
  const nothing = { read: () => [], write: () => {}, readBlob: () => undefined, deleteAll: async () => {} };
  const drive: Drive = new Drive({
    turn: {
      end: async () => void events.push("end of turn"),
      durable: async () => void events.push("durable"),
    },
    journal: new Journal({ ...nothing, rowsWritten: 0 }),
    alarm: new WakeAlarm({ get: async () => undefined, set: () => {} }, clock),
    write: () => {},
    goRound: async () => {
      const round = rounds[events.filter((event) => event === "round").length];
      events.push("round");
      if (round?.comesUp === true) drive.start("burst");
      return round?.end ?? "over";
    },
    comeToRest: () => void events.push("rest"),
    ended: () => void events.push("ended"),
    failed: (error) => {
      throw error;
    },
  });
  drive.start("look");
  await new Promise((resolve) => setImmediate(resolve));
  return events;
}

describe("a drive", () => {
  it("ends the turn of an attempt that goes on before the next round, where one comes up", async () => {
    const goesOn = await eventsOf([{ end: "attempt-goes-on", comesUp: true }]);
    expect(goesOn).toEqual(["round", "end of turn", "round", "rest", "ended"]);
  });

  it("leaves that turn open where nothing comes up, and goes on in it where the attempt is over", async () => {
    expect(await eventsOf([{ end: "attempt-goes-on", comesUp: false }])).toEqual(["round", "rest", "ended"]);
    expect(await eventsOf([{ end: "over", comesUp: true }])).toEqual(["round", "round", "rest", "ended"]);
  });
});
