/** Told what an object does with its storage and its turns. */
export interface StorageWatcher {
  readonly wrote: (rows: number) => void;
  /** The alarm was moved by anybody, or removed. */
  readonly alarmMoved: (at: number | undefined) => void;
  /** The text of a journal row that is written; `undefined` where all of them are deleted. */
  readonly journaled: (entries: string | undefined) => void;
  /** Calls what ends a turn. */
  readonly turn: <R>(act: () => Promise<R>) => Promise<R>;
}

/** The alarm as the platform itself moves it, unseen by the watcher. */
export interface UnwatchedAlarm {
  readonly setAlarm: (at: number) => Promise<void>;
  readonly deleteAlarm: () => Promise<void>;
}

/**
 * Counts what one object writes and where its turns end, at the platform's own functions: the engine's counters are
 * not asked.
 */
export function watchStorage(ctx: DurableObjectState, watcher: StorageWatcher): UnwatchedAlarm {
  const { storage } = ctx;
  const { sql } = storage;
  const block = ctx.blockConcurrencyWhile.bind(ctx);
  const sync = storage.sync.bind(storage);
  const deleteAll = storage.deleteAll.bind(storage);
  const setAlarm = storage.setAlarm.bind(storage);
  const deleteAlarm = storage.deleteAlarm.bind(storage);
  const exec = sql.exec.bind(sql);
  const moveAlarm = {
    setAlarm: (at: number) => {
      watcher.alarmMoved(at);
      return setAlarm(at);
    },
    deleteAlarm: () => {
      watcher.alarmMoved(undefined);
      return deleteAlarm();
    },
  };
  ctx.blockConcurrencyWhile = (callback) => watcher.turn(() => block(callback));
  storage.sync = () => watcher.turn(sync);
  storage.deleteAll = (options) => {
    watcher.alarmMoved(undefined);
    watcher.journaled(undefined);
    return watcher.turn(() => deleteAll(options));
  };
  storage.setAlarm = (at) => {
    watcher.wrote(1);
    return moveAlarm.setAlarm(Number(at));
  };
  storage.deleteAlarm = () => {
    watcher.wrote(1);
    return moveAlarm.deleteAlarm();
  };
  sql.exec = <T extends Record<string, SqlStorageValue>>(query: string, ...bindings: unknown[]) => {
    const cursor = exec<T>(query, ...bindings);
    watcher.wrote(cursor.rowsWritten);
    if (query.startsWith("INSERT INTO journal")) watcher.journaled(String(bindings[1]));
    // The copy that a fork has staged is its journal from now on.
    if (query.startsWith("ALTER TABLE staged_journal")) {
      watcher.journaled(undefined);
      for (const row of exec<{ entries: string }>("SELECT entries FROM journal ORDER BY seq")) {
        watcher.journaled(row.entries);
      }
    }
    return cursor;
  };
  return moveAlarm;
}
