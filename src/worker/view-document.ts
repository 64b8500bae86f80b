import type { ExecutionView, OutcomeView, ValueText } from "../execution/wire.ts";
import type { OutcomeDocument, ViewDocument } from "./openapi/answers.ts";

/** How what is answered is shown. */
export interface Presentation {
  /** The path under which the outside sees the routes: empty, or as in `/flows`. */
  readonly prefix: string;
  /** A journaled value as the caller wants it, from the value codec's flat JSON. */
  show(flat: unknown): unknown;
}

/** The path of an execution's own resources. */
export function executionPath(prefix: string, workflow: string, id: string): string {
  return `${prefix}/v1/workflows/${workflow}/executions/${id}`;
}

/** A view as callers get it: with its values in the form they want, and links. */
export function viewDocument(view: ExecutionView, presentation: Presentation): ViewDocument {
  const { progress, outcome, ...rest } = view;
  const { parent } = rest;
  const self = executionPath(presentation.prefix, view.workflow, view.id);
  return {
    ...rest,
    waitingFor: [...view.waitingFor],
    ...(progress === undefined ? {} : { progress: shown(progress, presentation) }),
    ...(outcome === undefined ? {} : { outcome: outcomeDocument(outcome, presentation) }),
    links: {
      self,
      result: `${self}/result`,
      journal: `${self}/journal`,
      events: `${self}/events`,
      cancel: `${self}/cancel`,
      terminate: `${self}/terminate`,
      pause: `${self}/pause`,
      resume: `${self}/resume`,
      fork: `${self}/fork`,
      ...(parent === undefined ? {} : { parent: executionPath(presentation.prefix, parent.workflow, parent.id) }),
    },
  };
}

/** How an execution ended, with its values in the form the caller wants. */
export function outcomeDocument(outcome: OutcomeView, presentation: Presentation): OutcomeDocument {
  switch (outcome.kind) {
    case "completed":
      return { kind: outcome.kind, value: shown(outcome.value, presentation) };
    case "failed":
      return { ...outcome, details: shown(outcome.details, presentation) };
    case "cancelled":
      return { kind: outcome.kind };
  }
}

function shown(text: ValueText, presentation: Presentation): unknown {
  return presentation.show(JSON.parse(text));
}
