import { v7 } from "uuid";
import { schedulerStub } from "../durable-object/scheduler-stub.ts";
import type {
  ScheduleCommandAnswer,
  ScheduleCommandRequest,
  SchedulerPort,
  ScheduleView,
  TriggerAnswer,
} from "../execution/wire-schedules.ts";
import { hashText } from "../journal/draw.ts";
import type { Schedule } from "../schedules/schedule.ts";
import type { Place } from "./addressed.ts";
import { reach } from "./execution-stub.ts";
import { Problem } from "./problem.ts";

/** Characters of the hash in an id that derives from a key: 192 bits. */
const DERIVED_ID_LENGTH = 32;

/** Makes the scheduler see what is deployed. */
export async function touchScheduler(place: Place): Promise<void> {
  if (place.site.deployment.schedules.length > 0) await stubOf(place).touch();
}

export async function viewSchedules(place: Place): Promise<readonly ScheduleView[]> {
  if (place.site.deployment.schedules.length === 0) return [];
  return await ask(place, (port) => port.list());
}

export async function commandSchedule(place: Place, request: ScheduleCommandRequest): Promise<ScheduleCommandAnswer> {
  scheduleNamed(place, request.name);
  const answer = await ask(place, (port) => port.command(request));
  if (answer.kind === "absent") throw notThereYet(request.name);
  return answer;
}

export interface Triggered {
  readonly workflow: string;
  readonly id: string;
  readonly answer: Extract<TriggerAnswer, { readonly kind: "started" | "pending" }>;
}

/** Starts what the schedule starts, now. */
export async function triggerSchedule(place: Place, name: string, key: string | undefined): Promise<Triggered> {
  const { workflow } = scheduleNamed(place, name);
  const id = `${name}.trigger-${key === undefined ? v7() : hashText(`${name}\0${key}`).slice(0, DERIVED_ID_LENGTH)}`;
  const answer = await ask(place, (port) => port.trigger({ name, id }));
  switch (answer.kind) {
    case "started":
    case "pending":
      return { workflow, id, answer };
    case "absent":
      throw notThereYet(name);
    case "refused":
    case "invalid":
      throw new Problem(answer.code, answer.message);
    case "skipped": {
      const rule = "the execution that it started last must have ended, by its overlap";
      throw new Problem("SCHEDULE_OVERLAP", `Cannot trigger ${name} as ${rule}: current value is ${answer.running}`);
    }
  }
}

/** Each of these may be repeated: what shall be so, or a start under an id. */
async function ask<Answer>(place: Place, call: (port: SchedulerPort) => Promise<Answer>): Promise<Answer> {
  return await reach("The scheduler", () => call(stubOf(place)));
}

function stubOf({ site, env }: Place): SchedulerPort {
  return schedulerStub(env, site.bindings.scheduler);
}

function scheduleNamed({ site }: Place, name: string): Schedule {
  const schedule = site.deployment.schedules.find((one) => one.name === name);
  if (schedule === undefined) throw new Problem("NOT_FOUND", "No schedule of this name is deployed");
  return schedule;
}

/** While a deploy goes round, the object may run the code before it. */
function notThereYet(name: string): Problem {
  const headers = { "retry-after": "1" };
  return new Problem("UNAVAILABLE", `The scheduler does not have ${name} yet; a repeated request may succeed`, {
    headers,
  });
}
