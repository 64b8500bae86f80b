import { signal } from "@preact/signals";
import { ask, type RequestRefused, refusalOf } from "./ask.ts";
import type { Workflow } from "./watched-execution.ts";

/** What is deployed; `undefined` until it is known. */
export const workflows = signal<readonly Workflow[] | undefined>(undefined);
export const workflowsRefusal = signal<RequestRefused | undefined>(undefined);

export async function loadWorkflows(): Promise<void> {
  try {
    const answer = await ask<{ readonly workflows: readonly Workflow[] }>("/v1/workflows");
    workflows.value = answer.workflows;
    workflowsRefusal.value = undefined;
  } catch (fault) {
    workflowsRefusal.value = refusalOf(fault);
  }
}

/** The one that an execution runs on: of its version, or else the last of its name, as for a start. */
export function workflowOf(name: string, version?: string): Workflow | undefined {
  const named = workflows.value?.filter((each) => each.name === name);
  return named?.find((each) => version !== undefined && each.version === version) ?? named?.at(-1);
}
