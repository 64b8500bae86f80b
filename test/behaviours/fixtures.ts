import { describe, expect, it } from "vitest";
import { decodeValue } from "../../src/journal/value.ts";
import type { Entry, Started } from "../../src/journal/entry.ts";
import type { OutcomeView } from "../../src/execution/wire.ts";
import { entriesOf, type Fixture, type Kept } from "../fixtures/record.ts";
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

function situationOf({ situation }: Fixture): Situation {
  const found = SITUATIONS.find(({ name }) => name === situation);
  if (found === undefined) throw new Error(`There is no situation ${situation}: its workflows have to be kept.`);
  return found;
}

/** Of the executions of a fixture, `one` has only so many of its rows; the others are there as they ended. */
interface Cut {
  readonly one: Kept;
  readonly rows: number;
}

async function restored(makeHost: MakeHost, fixture: Fixture, { one, rows }: Cut) {
  const { workflow, others = [], deployment, fetch } = situationOf(fixture);
  const workflows = [workflow, ...others];
  const surroundings: Surroundings = { delay: (ms) => host.delay(ms), isRecording: false };
  const host: Host = makeHost({ ...deployment, workflows, env: surroundings, ...(fetch && { fetch }) });
  await host.advance((entriesOf(one.rows.slice(0, rows)).at(-1)?.at ?? 0) - host.now());
  const probes = new Map<Kept, Probe>();
  for (const kept of fixture.executions) {
    const stored = kept === one ? kept.rows.slice(0, rows) : kept.rows;
    const { length } = entriesOf(stored);
    const blobs = new Map(kept.blobs.filter(([entry]) => entry < length));
    const code = workflows.find(({ name }) => name === kept.workflow) ?? workflow;
    probes.set(kept, await host.stored(code, kept.id, { rows: stored, blobs }));
  }
  const probe = probes.get(one);
  if (probe === undefined) throw new Error("The execution is not of this fixture.");
  return { host, probe };
}

function startOf({ rows }: Kept): Started {
  const [first] = entriesOf(rows);
  if (first?.type !== "started") throw new Error("A journal begins with its start.");
  return first;
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

async function outcomeFrom(makeHost: MakeHost, fixture: Fixture, cut: Cut): Promise<OutcomeView | undefined> {
  const { host, probe } = await restored(makeHost, fixture, cut);
  const { one, rows } = cut;
  await probe.view();
  for (const entry of entriesOf(one.rows.slice(rows))) {
    await host.advance(Math.max(0, entry.at - host.now()));
    await doAgain(probe, entry, startOf(one));
  }
  await host.runToEnd();
  return (await probe.view()).outcome;
}

export function describeFixtures(makeHost: MakeHost): void {
  describe("a journal that was written once", () => {
    for (const [path, fixture] of Object.entries(FIXTURES)) {
      const [, name] = /([^/]+\/[^/]+)\.json$/.exec(path) ?? [];
      const { executions } = fixture;
      const rows = executions.reduce((sum, one) => sum + one.rows.length, 0);

      it(`${name} is read as it was written, and not written to`, async () => {
        for (const one of executions) {
          const { host, probe } = await restored(makeHost, fixture, { one, rows: one.rows.length });
          expect((await probe.view()).outcome).toEqual(one.outcome);
          await host.runToEnd();
          const written = entriesOf(one.rows).map((fact, entry) => ({ entry, ...fact }));
          expect(await probe.facts()).toEqual(written);
        }
      });

      it(`${name} leads to the same outcome from each of its ${rows} rows`, async () => {
        for (const one of executions) {
          for (let cut = 1; cut <= one.rows.length; cut += 1) {
            const outcome = await outcomeFrom(makeHost, fixture, { one, rows: cut });
            expect([one.workflow, cut, outcome]).toEqual([one.workflow, cut, one.outcome]);
          }
        }
      });
    }
  });
}
