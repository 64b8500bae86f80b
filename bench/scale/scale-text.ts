import type { Phase, ScaleFigures } from "./figures.ts";

/** What a run has found, to be read. */
export function linesOf({ simulation, shardSizes, retryHerds, families }: ScaleFigures): readonly string[] {
  const { executions, shards, spreadMs, requestMs, rowsOfShard, kibOfShard, phases, lagMs } = simulation;
  return [
    "",
    `${count(executions)} executions, ${shards} shards, wake-ups drawn from ${spreadMs} ms, ${requestMs} ms for a request to a shard`,
    "",
    `rows of a shard: ${count(rowsOfShard.least)} to ${count(rowsOfShard.most)}, ${count(kibOfShard.most)} KiB at most`,
    `a report takes ${simulation.reportUs} µs, a sweep ${simulation.sweepMs.median} ms, ${simulation.sweepMs.most} ms at most`,
    ...Object.entries(simulation.lists.ms).map(([name, ms]) => `  list ${name}: ${ms} ms`),
    "",
    ...Object.entries(phases).flatMap(([name, phase]) => phaseLines(name, phase)),
    `ends are known after ${lagMs.p50} ms (p50), ${lagMs.p99} ms (p99), ${lagMs.longest} ms at the latest`,
    `all ends are acknowledged ${simulation.allKnownAfterMs} ms after the moment of the wake-ups`,
    `all are purged ${simulation.allPurgedAfterMs} ms after the moment of the purges`,
    "",
    "one shard, by its rows",
    ...shardSizes.map(
      ({ rows, mib, reportUs, countMs, sweepMs, ms }) =>
        `  ${count(rows)}: ${mib} MiB, report ${reportUs} µs, counts ${countMs} ms, sweep ${sweepMs} ms, lists ` +
        Object.values(ms).join(", "),
    ),
    "",
    "steps that fail together, by jitter",
    ...retryHerds.map(
      ({ jitter, steps, attempts, busiestTenth, busiestTenthUp, doneAfterMs }) =>
        `  ${jitter}: ${count(steps)} steps, ${count(attempts)} attempts, at most ${count(busiestTenth)} in 100 ms, ` +
        `${count(busiestTenthUp)} once the service is up; done after ${count(doneAfterMs)} ms`,
    ),
    "",
    "a parent that starts all of its children at once",
    ...families.map(
      ({ children, rowsWritten, entries, operations, ms }) =>
        `  ${count(children)} children: ${count(rowsWritten)} rows, ${count(entries)} entries, ${count(operations)} operations ` +
        `of the parent, ${count(ms)} ms in real time`,
    ),
  ];
}

function phaseLines(name: string, phase: Phase): readonly string[] {
  const { told, untold, removals, unremoved, asked, alarms, entriesOfReports } = phase;
  return [
    `${name}: ${count(told)} reports (${count(untold)} without an answer in time), ${count(removals)} removals (${count(unremoved)}), ` +
      `${count(asked)} asked by the sweep, ${count(alarms)} alarms, ${count(entriesOfReports)} entries about reports, ` +
      `${count(phase.rowsOfDirectory)} rows of the directory; the busiest shard: ${count(phase.busiestSecond)} in a second, ` +
      `${count(phase.longestWaitMs)} ms of waiting`,
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
