import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { defineWorkflow, staticSchema } from "../../src/index.workerd.ts";
import { serveApp } from "../support/served-app.ts";

const CHILDREN = 1_000;
/** A machine with other things to do writes a few hundred commits a second. */
const TIMEOUT_MS = 300_000;
const WAIT = { prefer: "wait=60" };

const hits = new Map<string, number>();

const part = defineWorkflow({ name: "part", input: staticSchema<number>() }, async ({ input, step, execution }) => {
  return await step.run("hit", () => {
    hits.set(execution.id, (hits.get(execution.id) ?? 0) + 1);
    return input;
  });
});

interface Asked {
  readonly children: number;
  /** How many at a time: the author's own code sees to that. */
  readonly limit: number;
}

const whole = defineWorkflow({ name: "whole", input: staticSchema<Asked>() }, async ({ input, runExecution }) => {
  const values: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < input.children) {
      next += 1;
      const value = await runExecution(part, next);
      values.push(value);
    }
  };
  await Promise.all(Array.from({ length: input.limit }, work));
  return values.reduce((sum, value) => sum + value, 0);
});

const app = serveApp({ workflows: [whole, part], directory: false });

/** Runs so many children, and tells how long it took and how many rows their parent wrote. */
async function measure({ children, limit }: Asked) {
  hits.clear();
  const id = `c-${children}-${limit}`;
  const path = `/v1/workflows/whole/executions/${id}`;
  const startedAt = Date.now();
  await app.send("/v1/workflows/whole/executions", { json: { id, input: { children, limit } } });
  let answer = await app.send(`${path}/result`, { headers: WAIT });
  while (answer.status === 202) answer = await app.send(`${path}/result`, { headers: WAIT });
  const tookMs = Date.now() - startedAt;
  const rows = await runInDurableObject(app.object(`whole/${id}`), (object) => object.rowsWritten());
  const journalRows = await runInDurableObject(app.object(`whole/${id}`), (_, { storage }) => {
    return storage.sql.exec<{ rows: number }>("SELECT count(*) AS rows FROM journal").one().rows;
  });
  return { body: answer.body, tookMs, rows, journalRows };
}

describe("a thousand children of one execution", () => {
  it.each([10, CHILDREN])(
    "each run once, %i at a time, for two journal rows of their parent each",
    async (limit) => {
      const { body, tookMs, rows, journalRows } = await measure({ children: CHILDREN, limit });
      expect(body).toEqual({ kind: "completed", value: (CHILDREN * (CHILDREN + 1)) / 2 });
      expect([hits.size, [...hits.values()].filter((count) => count !== 1)]).toEqual([CHILDREN, []]);
      console.info(
        `${CHILDREN} children, ${limit} at a time: ${tookMs} ms, ${rows} rows, ${journalRows} of the journal`,
      );
      expect(journalRows).toBeLessThanOrEqual(2.2 * CHILDREN);
      // A parent that comes to rest between two of them moves its alarm twice for each.
      expect(rows).toBeLessThanOrEqual(7 * CHILDREN);
    },
    TIMEOUT_MS,
  );
});
