import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineWorkflow } from "../../src/execution/workflow.ts";
import { LOCAL_ORIGIN } from "../support/answering.ts";
import { MemoryHost, type MemoryProbe } from "../support/memory-host.ts";

const START = Date.UTC(2100, 0, 1);

describe("an object that dies around a callback", () => {
  const urls = new Set<string>();
  const workflow = defineWorkflow({ name: "asks" }, async ({ createCallback, step }) => {
    const values: unknown[] = [];
    for (const name of ["first", "second"]) {
      const callback = await createCallback({ name, schema: z.object({ n: z.number() }), timeout: "1d" });
      await step.run("mail", () => void urls.add(callback.url));
      const [one, other] = await Promise.all([callback.result(), callback.result()]);
      values.push(one, other);
    }
    return values;
  });

  /** What is not answered is sent again, with the same key, until it is. */
  async function insist(host: MemoryHost, probe: MemoryProbe, index: number): Promise<readonly string[]> {
    const verdicts: string[] = [];
    for (let tries = 0; tries < 4; tries += 1) {
      // The code must have come to it: only the alarm can have brought it there.
      for (let waits = 0; urls.size <= index && waits < 5; waits += 1) await host.advance(5_000);
      const url = [...urls][index] ?? "";
      for (const value of [{ n: "x" }, { n: index }]) {
        const verdict = await Promise.race([
          probe.answer(url, value, `key ${index}`).catch(() => "lost"),
          probe.object.death.then(() => "lost"),
        ]);
        await host.settle();
        verdicts.push(verdict);
      }
      if (verdicts.at(-1) !== "lost") return verdicts;
    }
    throw new Error("No answer after 4 tries.");
  }

  it.each(["kill", "evict"] as const)(
    "loses no answer, takes none twice and none that does not fit, wherever it dies: %s",
    async (how) => {
      let places = 0;
      for (let n = 1; ; n += 1) {
        urls.clear();
        const host = new MemoryHost({ workflows: [workflow], now: START });
        const object = host.object(workflow, "x");
        host.faults.beforeWrite = (operation) => {
          if (operation !== n) return;
          delete host.faults.beforeWrite;
          object[how]();
        };
        await Promise.race([host.start(workflow, { id: "x", origin: LOCAL_ORIGIN }).catch(() => {}), object.death]);
        // A start that was not answered is sent again.
        const probe = await host.start(workflow, { id: "x", origin: LOCAL_ORIGIN });
        for (const index of [0, 1]) {
          const verdicts = await insist(host, probe, index);
          for (const verdict of verdicts) {
            expect(["VALIDATION_ERROR", "answered", "duplicate", "lost"], `dies at operation ${n}`).toContain(verdict);
          }
          expect(["answered", "duplicate"]).toContain(verdicts.at(-1));
        }
        await host.runToEnd();
        const value = [0, 0, 1, 1].map((answer) => ({ received: true, value: { n: answer } }));
        expect(await probe.outcome(), `dies at operation ${n}`).toEqual({ kind: "completed", value });
        const types = (await probe.facts()).map(({ type }) => type);
        expect(types.filter((type) => type === "callback-answered")).toHaveLength(2);
        expect(types.filter((type) => type === "callback-taken")).toHaveLength(4);
        if (host.faults.beforeWrite !== undefined) break;
        places = n;
      }
      expect(places).toBeGreaterThan(12);
    },
  );
});
