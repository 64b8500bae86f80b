import type { ExecutionView, OutcomeView, ValueText } from "../execution/wire.ts";
import type { OutcomeDocument, ViewDocument } from "./openapi/answers.ts";
import type { Visit } from "./visit.ts";

/** The path of an execution's own resources. */
export function executionPath(prefix: string, workflow: string, id: string): string {
  return `${prefix}/v1/workflows/${workflow}/executions/${id}`;
}

/** A view as callers get it: with its values in the form they want, and links. */
export function viewDocument(view: ExecutionView, visit: Visit): ViewDocument {
  const { progress, outcome, ...rest } = view;
  const self = executionPath(visit.prefix, view.workflow, view.id);
  return {
    ...rest,
    waitingFor: [...view.waitingFor],
    ...(progress === undefined ? {} : { progress: shown(progress, visit) }),
    ...(outcome === undefined ? {} : { outcome: outcomeDocument(outcome, visit) }),
    links: {
      self,
      result: `${self}/result`,
      journal: `${self}/journal`,
      events: `${self}/events`,
      cancel: `${self}/cancel`,
      terminate: `${self}/terminate`,
      pause: `${self}/pause`,
      resume: `${self}/resume`,
    },
  };
}

/** How an execution ended, with its values in the form the caller wants. */
export function outcomeDocument(outcome: OutcomeView, visit: Visit): OutcomeDocument {
  switch (outcome.kind) {
    case "completed":
      return { kind: outcome.kind, value: shown(outcome.value, visit) };
    case "failed":
      return { ...outcome, details: shown(outcome.details, visit) };
    case "cancelled":
      return { kind: outcome.kind };
  }
}

function shown(text: ValueText, visit: Visit): unknown {
  return visit.show(JSON.parse(text));
}
