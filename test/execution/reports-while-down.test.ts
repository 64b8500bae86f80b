import { describe, expect, it } from "vitest";
import { hostWith, listener, nap, quick } from "../support/listed-workflows.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe("a directory that is down", () => {
  it("holds nothing up: the execution ends as ever, and is told again after at most 1, 2, 4 … 60 minutes", async () => {
    const { host, directory } = hostWith(() => "lost");
    const probe = await host.start(quick, { id: "q" });
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    await host.advance(5 * HOUR_MS);
    const failures = (await probe.facts()).filter(({ type }) => type === "report-failed");
    const delaysMs = failures.map((fact) => (fact.type === "report-failed" ? fact.retryAt - fact.at : 0));
    const minutes = delaysMs.map((ms) => ms / MINUTE_MS);
    const longest = [1, 2, 4, 8, 16, 32, 60, 60];
    expect(minutes.slice(0, 8).map((each, i) => each <= (longest[i] ?? 0) && 2 * each >= (longest[i] ?? 0))).toEqual(
      longest.map(() => true),
    );
    expect(directory.reports.size).toBe(0);
  });

  it("learns of an execution that sleeps when it is back, although nobody touches that", async () => {
    let isDown = true;
    const { host, directory } = hostWith(() => (isDown ? "lost" : "delivered"));
    const probe = await host.start(nap, { id: "n" });
    await probe.evict();
    await host.advance(HOUR_MS);
    expect(directory.reports.size).toBe(0);
    isDown = false;
    await host.advance(HOUR_MS);
    expect(directory.get("nap/n")).toMatchObject({ state: "waiting" });
    expect(await probe.alarm()).toBe(30 * DAY_MS);
  });

  it("case 222: has the end of an execution at most a minute after it could not be told of it", async () => {
    let isDown = false;
    const { host, directory } = hostWith(() => (isDown ? "lost" : "delivered"));
    const probe = await host.start(listener, { id: "l" });
    expect(directory.get("listener/l")).toMatchObject({ state: "waiting" });
    isDown = true;
    await probe.signal("go", 0);
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    isDown = false;
    await host.advance(MINUTE_MS / 2 - 1);
    expect(directory.get("listener/l")).toMatchObject({ state: "waiting" });
    await host.advance(MINUTE_MS / 2 + 1);
    expect(directory.get("listener/l")).toMatchObject({ state: "completed" });
  });

  it("that never answers is waited for by nobody", async () => {
    const { host, directory } = hostWith(() => "silent");
    const probe = await host.start(listener, { id: "l" });
    expect((await probe.view()).state).toBe("waiting");
    expect(await probe.signal("go", 0)).toBe("accepted");
    expect(await probe.outcome()).toEqual({ kind: "completed", value: 1 });
    await host.advance(MINUTE_MS);
    expect(directory.get("listener/l")).toMatchObject({ state: "completed" });
  });

  it("holds back the purge, which comes when it is back", async () => {
    let isDown = false;
    const { host, directory } = hostWith(() => (isDown ? "lost" : "delivered"));
    const probe = await host.start(quick, { id: "q" });
    isDown = true;
    await host.advance(7 * DAY_MS + 2 * HOUR_MS);
    expect(probe.object.isEmpty).toBe(false);
    // To everybody else it is gone.
    expect((await probe.object.service.view()).kind).toBe("absent");
    isDown = false;
    await host.advance(2 * HOUR_MS);
    expect(probe.object.isEmpty).toBe(true);
    expect(directory.reports.size).toBe(0);
  });

  it("is told of purges that it refused together at different times, half an hour to an hour later", async () => {
    let isDown = false;
    const { host } = hostWith(() => (isDown ? "lost" : "delivered"));
    const probes = await Promise.all(["a", "b", "c"].map((id) => host.start(quick, { id })));
    isDown = true;
    await host.advance(7 * DAY_MS);
    const alarms = await Promise.all(probes.map((probe) => probe.alarm()));
    const delaysMs = alarms.map((alarm) => (alarm ?? 0) - host.now());
    expect(new Set(delaysMs).size).toBe(3);
    expect(Math.min(...delaysMs)).toBeGreaterThanOrEqual(HOUR_MS / 2);
    expect(Math.max(...delaysMs)).toBeLessThanOrEqual(HOUR_MS);
  });

  it("refuses a deletion, of which it must know, and takes it when it is back", async () => {
    let isDown = false;
    const { host, directory } = hostWith(() => (isDown ? "lost" : "delivered"));
    const probe = await host.start(quick, { id: "q" });
    isDown = true;
    expect(await probe.purge()).toBe("UNAVAILABLE");
    expect((await probe.view()).state).toBe("completed");
    isDown = false;
    expect(await probe.purge()).toBe("purged");
    expect(directory.reports.size).toBe(0);
  });

  it("does not keep an id from being used again after the retention", async () => {
    let isDown = false;
    const { host, directory } = hostWith(() => (isDown ? "lost" : "delivered"));
    await host.start(quick, { id: "q" });
    isDown = true;
    await host.advance(7 * DAY_MS + 30 * MINUTE_MS);
    const again = await host.start(quick, { id: "q", input: "other" });
    expect((await again.view()).startedAt).toBe(7 * DAY_MS + 30 * MINUTE_MS);
    isDown = false;
    await host.advance(2 * HOUR_MS);
    expect(directory.get("quick/q")).toMatchObject({ state: "completed", startedAt: 7 * DAY_MS + 30 * MINUTE_MS });
  });
});
