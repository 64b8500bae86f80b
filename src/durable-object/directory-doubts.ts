import { SHARD_PLACES } from "../journal/list.ts";
import type { Report } from "../journal/report.ts";
import { LIMITS } from "../limits.ts";
import { readSummary, type Known } from "./directory-table.ts";

/*
 * What a shard looks for once an hour. Both read every row once, which costs a tenth of a second for a million of them;
 * an index would cost a row for each report.
 */

/** Executions that may not be as the directory has them. */
export function doubtedRows(sql: SqlStorage, now: number): readonly Known[] {
  const rows = sql.exec(
    `SELECT id, workflow, createdAt, sequence FROM executions
      WHERE toldAt < CASE state WHEN 'running' THEN ? ELSE ? END
      AND (purgeAt IS NULL OR purgeAt < ?) LIMIT ?`,
    now - LIMITS.believedRunningMs,
    now - LIMITS.believedMs,
    now,
    LIMITS.sweepAsks,
  );
  // The cast: the columns are those of `Known`.
  return rows.toArray() as unknown as readonly Known[];
}

type WholeRow = Omit<Report, "version" | "endedAt" | "code" | "attributes" | "purgeAt"> & {
  readonly purgeAt: number | null;
  readonly summary: string;
};

/** Executions that another shard holds, since the number of shards has changed. */
export function foreignRows(
  sql: SqlStorage,
  { shard, shards }: { readonly shard: number; readonly shards: number },
): readonly Report[] {
  // Numbers are bound as floats, and so is what they are divided to.
  const rows = sql.exec(
    `SELECT id, workflow, state, startedAt, createdAt, sequence, purgeAt, summary FROM executions
      WHERE CAST(place * ? / ? AS INTEGER) <> ? LIMIT ?`,
    shards,
    SHARD_PLACES,
    shard,
    LIMITS.sweepAsks,
  );
  // The cast: the columns are those of `WholeRow`.
  return (rows.toArray() as unknown as readonly WholeRow[]).map(({ purgeAt, summary, ...row }) => ({
    ...row,
    ...readSummary(summary),
    ...(purgeAt !== null && { purgeAt }),
  }));
}
