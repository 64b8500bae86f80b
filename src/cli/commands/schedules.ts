import type { ScheduleView } from "../../client/types.ts";
import { drawColumns } from "../draw-columns.ts";
import { counted } from "../describe-entry.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { wordOf } from "../read-text.ts";
import { type Command, clientOf, type Session } from "../session.ts";
import { showMoment } from "../show-moment.ts";
import { UsageError } from "../usage-error.ts";

export const SCHEDULE_ACTIONS = ["pause", "resume", "trigger"] as const;

export const SCHEDULES: Command = {
  summary: "the schedules; or pauses, resumes or triggers one",
  arguments: [
    { name: "ACTION", place: "action", isOptional: true },
    { name: "SCHEDULE", place: "schedule", isOptional: true },
  ],
  options: {
    "idempotency-key": { takes: "KEY", meaning: "triggers with the same key start one execution" },
  },
  run: schedules,
};

async function schedules(session: Session) {
  const [text, name] = session.given.arguments;
  const all = clientOf(session).schedules;
  if (text === undefined) {
    const views = await all.list();
    draw(session, views);
    session.terminal.note(counted(views.length, "schedule"));
    return EXIT_CODES.done;
  }
  const action = wordOf(text, "ACTION", SCHEDULE_ACTIONS);
  if (name === undefined) throw new UsageError(`Cannot ${action} as it needs SCHEDULE: current value is missing`);
  if (action === "trigger") return await trigger(session, name);
  draw(session, [await all[action](name)]);
  return EXIT_CODES.done;
}

async function trigger(session: Session, schedule: string) {
  const { terminal, given, isJson } = session;
  const { schedules: all } = clientOf(session);
  // Where there is none of this name, the trigger says so.
  const workflow = (await all.get(schedule))?.workflow ?? "";
  const { id, created } = await all.trigger(schedule, { idempotencyKey: given.option("idempotency-key") });
  const name = `${workflow}/${id}`;
  if (isJson) terminal.json({ workflow, id, created });
  else terminal.line(name);
  if (created === undefined) terminal.note(`${name} is still to be started`);
  else terminal.note(created ? `${name} was started` : `${name} was there already`);
  return EXIT_CODES.done;
}

/** A line for each, or its document. */
function draw({ terminal, isJson }: Session, views: readonly ScheduleView[]): void {
  if (!isJson)
    drawColumns(
      terminal,
      views.map((view) => ({ cells: cellsOf(view), tone: view.paused ? "waiting" : "plain" })),
    );
  else for (const view of views) terminal.json(view);
}

function cellsOf({ name, workflow, cron, timeZone, paused, nextAt, lastStart }: ScheduleView): readonly string[] {
  const next = nextAt === null ? "no more times" : `next ${showMoment(nextAt)}`;
  const last = lastStart && `last ${lastStart.id} ${lastStart.outcome ?? (lastStart.purged ? "purged" : "not ended")}`;
  return [name, workflow, `${cron} ${timeZone}`, paused ? "paused" : next, last ?? "never started"];
}
