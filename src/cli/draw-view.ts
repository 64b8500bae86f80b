import type { ExecutionView } from "../client/types.ts";
import { counted, shown } from "./describe-entry.ts";
import { showDistance, showMoment } from "./show-moment.ts";
import type { Terminal } from "./terminal.ts";
import type { Tone } from "./tone.ts";

const LABEL_WIDTH = 10;

/** What is known of an execution, one fact a line. */
export function drawView(terminal: Terminal, view: ExecutionView): void {
  const now = terminal.surroundings.now();
  terminal.line(`${view.workflow}/${view.id}  ${view.state}`, toneOfState(view.state));
  for (const [label, text] of factsOf(view, now)) terminal.line(`  ${label.padEnd(LABEL_WIDTH)}  ${text}`);
}

export function toneOfState(state: ExecutionView["state"]): Tone {
  switch (state) {
    case "running":
      return "plain";
    case "waiting":
    case "cancelled":
      return "waiting";
    case "paused":
    case "failed":
      return "bad";
    case "completed":
      return "good";
  }
}

type Fact = readonly [label: string, text: string];

function factsOf(view: ExecutionView, now: number): readonly Fact[] {
  const { version, startedAt, endedAt, deadlineAt, parent, forkedFrom, reason, usage } = view;
  const attributes = Object.entries(view.attributes).map(([name, value]) => `${name}=${value}`);
  const moment = (at: number) => `${showMoment(at)} (${showDistance(at, now)})`;
  return [
    ...optional("version", version),
    ["started", moment(startedAt)],
    ...optional("ended", endedAt && moment(endedAt)),
    ...optional("deadline", endedAt === undefined ? deadlineAt && moment(deadlineAt) : undefined),
    ...optional("parent", parent && `${parent.workflow}/${parent.id}`),
    ...optional("forked", forkedFrom && `from ${forkedFrom.id} at its entry ${forkedFrom.entry}`),
    ...waitsOf(view, now),
    ...optional("reason", reason && `${reason.code}: ${reason.message}`),
    ...optional("cancelled", view.cancelReason),
    ...optional("outcome", view.outcome === undefined ? undefined : shown(view.outcome)),
    ...optional("progress", view.progress === undefined ? undefined : shown(view.progress)),
    ...optional("steps", countsOf(view.steps)),
    ...optional("rollbacks", view.rollbacks && countsOf({ ...view.rollbacks })),
    ...optional("attributes", attributes.length === 0 ? undefined : attributes.join(", ")),
    ...optional("unread", view.unreadSignals === 0 ? undefined : counted(view.unreadSignals, "signal")),
    ["used", `${counted(usage.rowsWritten, "row")}, ${counted(usage.attempts, "attempt")}, ${usage.entries} entries`],
  ];
}

function optional(label: string, text: string | number | undefined): readonly Fact[] {
  return text === undefined || text === "" || text === 0 ? [] : [[label, String(text)]];
}

function waitsOf({ waitingFor }: ExecutionView, now: number): readonly Fact[] {
  return waitingFor.map(({ kind, name, until, because }, index) => {
    const what = name === undefined ? kind : `${kind} ${name}`;
    const limit = until === undefined ? "" : ` until ${showMoment(until)} (${showDistance(until, now)})`;
    return [index === 0 ? "waits for" : "", `${what}${limit}: ${because}`];
  });
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([phase, count]) => `${count} ${phase}`)
    .join(", ");
}
