import { shardedDirectory } from "../execution/sharded-directory.ts";
import type { DirectoryPort } from "../execution/wire-directory.ts";
import { namespaceOf } from "./namespace.ts";

/** Where the directory is: the binding of its objects, and how many of them there are. */
export interface DirectoryPlace {
  readonly binding: string;
  readonly shards: number;
}

/** The name of the object of a shard. */
function shardName(shard: number): string {
  return `directory-${shard}`;
}

/** Which shard the object of this id is; -1 where it is none of those that there are now. */
export function shardOfId(env: unknown, { binding, shards }: DirectoryPlace, id: DurableObjectId): number {
  const namespace = namespaceOf(env, binding);
  return Array.from({ length: shards }, (_, shard) => namespace.idFromName(shardName(shard))).findIndex((other) =>
    id.equals(other),
  );
}

/** Reaches the directory of a deployment. */
export function directoryStub(env: unknown, { binding, shards }: DirectoryPlace): DirectoryPort {
  return shardedDirectory(shards, (shard) => {
    const namespace = namespaceOf(env, binding);
    // The cast: which class stands behind a binding nothing can tell.
    return namespace.get(namespace.idFromName(shardName(shard))) as DirectoryPort;
  });
}
