import type { Draw } from "../../test/support/seeded-draw.ts";
import type { Example } from "./list-times.ts";

export const START_AT = Date.UTC(2027, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1_000;
const WORKFLOWS = ["order", "invoice", "import", "report"] as const;
const TENANTS = 100;
const ID_DIGITS = 8;
/** A hundred have it in common. */
const PREFIX_LENGTH = "e-".length + ID_DIGITS - 2;

export function namesOf(index: number, draw: Draw) {
  const workflow = WORKFLOWS[index % WORKFLOWS.length] ?? WORKFLOWS[0];
  return { workflow, id: idOf(index), tenant: `tenant-${draw(1, TENANTS)}` };
}

function idOf(index: number): string {
  return `e-${String(index).padStart(ID_DIGITS, "0")}`;
}

/** The number that an id was made from. */
export function indexOf(id: string): number {
  return Number(id.slice("e-".length));
}

/** What lists of so many executions, started within a day, can be asked for. */
export function exampleOf(executions: number): Example {
  const id = idOf(Math.floor(executions / 2));
  const after = { startedAt: START_AT + DAY_MS / 2, workflow: "order", id };
  return { workflow: "order", tenant: "tenant-7", idPrefix: id.slice(0, PREFIX_LENGTH), after };
}
