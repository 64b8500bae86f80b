import { doubtedRows, foreignRows } from "../../src/durable-object/directory-doubts.ts";
import { DirectoryTable } from "../../src/durable-object/directory-table.ts";
import type { Report } from "../../src/journal/report.ts";
import { seededDraw } from "../../test/support/seeded-draw.ts";
import { timed } from "../bench.ts";
import type { ShardSize } from "./figures.ts";
import { leastOf, rounded, timeLists } from "./list-times.ts";
import { exampleOf, namesOf, START_AT } from "./population.ts";
import { World } from "./world.ts";

interface ShardSizesOptions {
  /** The largest. */
  readonly rows: number;
  readonly seed: number;
}

/** Each about three times the one before. The third is what a million has in each of 32 shards. */
const SIZES = [1_000, 10_000, 31_250, 100_000, 316_000, 1_000_000];
const DAY_MS = 24 * 60 * 60 * 1_000;

/** One shard that grows. */
export async function measureShards(
  { rows, seed }: ShardSizesOptions,
  log: (line: string) => void,
): Promise<readonly ShardSize[]> {
  const draw = seededDraw(seed);
  const world = new World({
    startAt: START_AT,
    shards: 1,
    requestMs: 1,
    latenessMs: 0,
    draw,
    listed: async () => ({ kind: "absent" }),
    tick: () => {},
  });
  try {
    const [shard] = world.shards;
    if (shard === undefined) throw new Error("A world has a shard.");
    const sizes: ShardSize[] = [];
    let filled = 0;
    for (const size of SIZES.filter((one) => one <= rows)) {
      const added = size - filled;
      const ms = await timed(async () => {
        for (; filled < size; filled += 1) shard.table.put(reportOf(filled, draw));
      });
      const sql = shard.storage.asStorage.sql;
      const now = START_AT + DAY_MS;
      sizes.push({
        ...(await timeLists(world.directory, size, exampleOf(size))),
        mib: rounded(shard.storage.bytes() / 1_024 ** 2),
        reportUs: rounded((ms * 1_000) / added),
        countMs: await leastOf(async () => new DirectoryTable(shard.storage.asStorage, () => now).counts()),
        sweepMs: await leastOf(async () => [doubtedRows(sql, START_AT), foreignRows(sql, { shard: 0, shards: 1 })]),
      });
      log(`a shard of ${size} rows was looked at`);
    }
    return sizes;
  } finally {
    world.close();
  }
}

/** The half of them has ended. */
function reportOf(index: number, draw: (low: number, high: number) => number): Report {
  const { workflow, id, tenant } = namesOf(index, draw);
  const startedAt = START_AT + draw(0, DAY_MS);
  const hasEnded = draw(0, 1) === 1;
  return {
    workflow,
    id,
    state: hasEnded ? "completed" : "waiting",
    startedAt,
    createdAt: startedAt,
    sequence: 3,
    ...(hasEnded && { endedAt: startedAt + 1_000, purgeAt: startedAt + 30 * DAY_MS }),
    attributes: { tenant },
  };
}
