import { mergePages, shardOf, sumCounts } from "../journal/list.ts";
import type { ExecutionName } from "../journal/execution-name.ts";
import type { DirectoryPort } from "./wire-directory.ts";

/** The directory of a deployment: so many objects, of which each holds the executions that hash to its number. */
export function shardedDirectory(shards: number, portOf: (shard: number) => DirectoryPort): DirectoryPort {
  const home = (name: ExecutionName) => portOf(shardOf(name, shards));
  const all = async <Answer>(ask: (port: DirectoryPort) => Promise<Answer>) =>
    await Promise.all(Array.from({ length: shards }, (_, shard) => ask(portOf(shard))));
  return {
    report: async (report) => await home(report).report(report),
    remove: async (execution) => await home(execution).remove(execution),
    list: async (request) => mergePages(await all((port) => port.list(request)), request),
    counts: async () => sumCounts(await all((port) => port.counts())),
  };
}
