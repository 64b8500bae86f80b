import { CANCEL, PAUSE, RESUME, TERMINATE } from "./commands/commands-to-executions.ts";
import { COMPLETION } from "./commands/completion.ts";
import { DELETE } from "./commands/delete.ts";
import { EXPLAIN_POLICY } from "./commands/explain-policy.ts";
import { FORK } from "./commands/fork.ts";
import { LIST } from "./commands/list.ts";
import { RESULT } from "./commands/result.ts";
import { SCHEDULES } from "./commands/schedules.ts";
import { SHOW } from "./commands/show.ts";
import { SIGNAL } from "./commands/signal.ts";
import { START } from "./commands/start.ts";
import { WATCH } from "./commands/watch.ts";
import type { Command } from "./session.ts";

/** Every command, in the order of the usage. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  list: LIST,
  show: SHOW,
  watch: WATCH,
  start: START,
  result: RESULT,
  signal: SIGNAL,
  cancel: CANCEL,
  terminate: TERMINATE,
  pause: PAUSE,
  resume: RESUME,
  fork: FORK,
  delete: DELETE,
  schedules: SCHEDULES,
  "explain-policy": EXPLAIN_POLICY,
  completion: COMPLETION,
};
