import type { MemoryObject } from "../../../src/testing/memory-object.ts";
import type { Disturbance } from "./scenario.ts";

interface Disturbed {
  /** Its alarm may be another than its journal asks for, until something touches it. */
  readonly spoilsAlarm: boolean;
  readonly losesMemory: boolean;
}

const LATE_BY_MS = 3_000;

/** Does something to an object that the platform may do to it. */
export function disturb(object: MemoryObject, what: Disturbance["what"]): Disturbed {
  switch (what) {
    case "evict":
      object.evict();
      return { spoilsAlarm: false, losesMemory: true };
    case "kill":
      object.kill();
      return { spoilsAlarm: true, losesMemory: true };
    case "alarm early":
    case "alarm twice":
      void ring(object, what === "alarm early" ? 1 : 2);
      return { spoilsAlarm: false, losesMemory: false };
    case "alarm late":
    case "alarm lost":
      return { spoilsAlarm: spoil(object, what === "alarm lost"), losesMemory: false };
  }
}

/** It rings at a time for which nobody has set it. What it was set for is set again by whoever wakes. */
async function ring(object: MemoryObject, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    if (object.alarm !== undefined && !object.isRinging) await object.ring();
  }
}

function spoil(object: MemoryObject, isLost: boolean): boolean {
  const { alarm, isRinging } = object;
  if (alarm === undefined || isRinging) return false;
  object.spoilAlarm(isLost ? undefined : alarm + LATE_BY_MS);
  return true;
}
