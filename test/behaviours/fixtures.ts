import { describe, expect, it } from "vitest";
import { decodeValue } from "../../src/journal/value.ts";
import type { Entry, Started } from "../../src/journal/entry.ts";
import type { OutcomeView } from "../../src/execution/wire.ts";
import { entriesOf, type Fixture } from "../fixtures/record.ts";
import type { Situation, Surroundings } from "../fixtures/situation.ts";
import { SITUATIONS } from "../fixtures/situations.ts";
import { urlOfCallback } from "../support/answering.ts";
import type { Host, MakeHost, Probe } from "../support/host.ts";

declare global {
  interface ImportMeta {
    /** Of the test runner, which reads files for tests that have no file system. */
    glob<T>(
      pattern: string,
      options: { readonly eager: true; readonly import: "default" },
    ): Readonly<Record<string, T>>;
  }
}

const FIXTURES = import.meta.glob<Fixture>("../fixtures/format-*/*.json", { eager: true, import: "default" });

/** The situation of a fixture, whichever format it was written in. */
function situationOf({ id }: Fixture): Situation {
  const situation = SITUATIONS.find(({ name }) => name === id);
  if (situation === undefined) throw new Error(`There is no situation ${id}: its workflow has to be kept.`);
  return situation;
}

function startOf({ rows }: Fixture): Started {
  const [first] = entriesOf(rows);
  if (first?.type !== "started") throw new Error("A journal begins with its start.");
  return first;
}

async function restored(makeHost: MakeHost, fixture: Fixture, rows: number) {
  const { workflow, deployment, fetch } = situationOf(fixture);
  const surroundings: Surroundings = { delay: (ms) => host.delay(ms), isRecording: false };
  const host: Host = makeHost({ ...deployment, workflows: [workflow], env: surroundings, ...(fetch && { fetch }) });
  const stored = fixture.rows.slice(0, rows);
  const entries = entriesOf(stored);
  await host.advance((entries.at(-1)?.at ?? 0) - host.now());
  const blobs = new Map(fixture.blobs.filter(([entry]) => entry < entries.length));
  return { host, probe: await host.stored(workflow, fixture.id, { rows: stored, blobs }) };
}

/** Does again what somebody outside did, where the cut has taken that away. */
async function doAgain(probe: Probe, entry: Entry, started: Started): Promise<unknown> {
  switch (entry.type) {
    case "signal-received":
      return await probe.signal(entry.name, decodeValue(JSON.stringify(entry.value)), entry.key);
    case "callback-answered":
      return await probe.answer(
        urlOfCallback(started, entry.callback),
        decodeValue(JSON.stringify(entry.value)),
        entry.key,
      );
    case "cancel-requested":
      return entry.by === undefined && (await probe.command("cancel", entry.reason));
    case "paused":
      return entry.by === "request" && (await probe.command("pause", entry.message));
    case "resumed":
      return await probe.command("resume");
    case "cancelled":
      return entry.by === "terminated" && (await probe.command("terminate", entry.reason));
    default:
      return undefined;
  }
}

async function outcomeFrom(makeHost: MakeHost, fixture: Fixture, rows: number): Promise<OutcomeView | undefined> {
  const { host, probe } = await restored(makeHost, fixture, rows);
  await probe.view();
  for (const entry of entriesOf(fixture.rows.slice(rows))) {
    await host.advance(Math.max(0, entry.at - host.now()));
    await doAgain(probe, entry, startOf(fixture));
  }
  await host.runToEnd();
  return (await probe.view()).outcome;
}

export function describeFixtures(makeHost: MakeHost): void {
  describe("a journal that was written once", () => {
    for (const [path, fixture] of Object.entries(FIXTURES)) {
      const [, name] = /([^/]+\/[^/]+)\.json$/.exec(path) ?? [];
      it(`${name} is read as it was written, and not written to`, async () => {
        const { host, probe } = await restored(makeHost, fixture, fixture.rows.length);
        expect((await probe.view()).outcome).toEqual(fixture.outcome);
        await host.runToEnd();
        const written = entriesOf(fixture.rows).map((fact, entry) => ({ entry, ...fact }));
        expect(await probe.facts()).toEqual(written);
      });

      it(`${name} leads to the same outcome from each of its ${fixture.rows.length} rows`, async () => {
        for (let rows = 1; rows <= fixture.rows.length; rows += 1) {
          expect([rows, await outcomeFrom(makeHost, fixture, rows)]).toEqual([rows, fixture.outcome]);
        }
      });
    }
  });
}
