import { DurableObject } from "cloudflare:workers";
import type { Clock, Executions } from "../execution/ports.ts";
import type { DirectoryPort, Incarnation, ListPage, ListRequest, Report } from "../execution/wire-directory.ts";
import { directoryStub, shardOfId, type DirectoryPlace } from "./directory-stub.ts";
import { DirectorySweep } from "./directory-sweep.ts";
import { listRows } from "./directory-list.ts";
import { DirectoryTable } from "./directory-table.ts";

/** A Durable Object that is one shard of a directory. */
export interface DirectoryObject extends DurableObject<Cloudflare.Env>, DirectoryPort {
  alarm(): Promise<void>;
  /** Rows written in the life of this object, as the platform bills them, without alarms. */
  rowsWritten(): number;
}

export type DirectoryObjectClass = new (ctx: DurableObjectState, env: Cloudflare.Env) => DirectoryObject;

/** How the directory of one app sees the platform. */
export interface DirectorySurroundings {
  readonly clock: Clock;
  /** By the bindings of the Worker. */
  readonly executions: (env: unknown) => Executions;
  /** Absent where it is switched off: nobody reaches the object then but its alarm. */
  readonly place: DirectoryPlace | undefined;
}

/** The class of the objects of one deployment's directory. */
export function createDirectoryClass(surroundings: DirectorySurroundings): DirectoryObjectClass {
  return class Directory extends ServedDirectory {
    constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
      super(ctx, env, surroundings);
    }
  };
}

/** What executions tell of themselves, for lists and counts. An index: what it loses, it is told again. */
class ServedDirectory extends DurableObject<Cloudflare.Env> implements DirectoryObject {
  readonly #sql: SqlStorage;
  readonly #table: DirectoryTable;
  /** Where the directory is switched off there is nothing to look after. */
  readonly #sweep: DirectorySweep | undefined;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env, { clock, executions, place }: DirectorySurroundings) {
    super(ctx, env);
    const { storage, id } = ctx;
    this.#sql = storage.sql;
    this.#table = new DirectoryTable(storage, () => clock.now());
    if (place === undefined) return;
    this.#sweep = new DirectorySweep({
      storage,
      table: this.#table,
      clock,
      executions: executions(env),
      directory: directoryStub(env, place),
      shards: place.shards,
      shard: shardOfId(env, place, id),
    });
  }

  async report(report: Report): Promise<void> {
    this.#table.put(report);
    await this.#sweep?.arm();
  }

  async remove(execution: Incarnation): Promise<void> {
    this.#table.remove(execution);
  }

  async list(request: ListRequest): Promise<ListPage> {
    return this.#table.isEmpty ? { executions: [], next: null } : listRows(this.#sql, request);
  }

  async counts() {
    return this.#table.counts();
  }

  override async alarm(): Promise<void> {
    await this.#sweep?.wake();
  }

  rowsWritten(): number {
    return this.#table.rowsWritten;
  }
}
