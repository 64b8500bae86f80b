import { addressInPath } from "../addressed.ts";
import { readBody } from "../body.ts";
import { forkExecution } from "../fork-request.ts";
import { FORK_BODY } from "../requests.ts";
import { executionPath, viewDocument } from "../view-document.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

export const FORK: Endpoint = {
  route: forkRoute,
  describe: () => ({
    id: "forkExecution",
    summary: "Starts a new execution with a copy of this one's journal",
    description:
      "`before` is where the copy ends: the name of a step with its occurrence, or the number of an entry; without it the " +
      "whole is copied. Without an `id` it is a new UUIDv7.",
    body: { schema: FORK_BODY(), example: { id: "order-42-again", before: "ship" } },
    answers: {
      201: { description: "The new execution", schema: "View", headers: FORKED },
      200: { description: "The same fork had been made before", schema: "View", headers: FORKED },
    },
    problems: ["ID_CONFLICT", "FORK_INSIDE_CALLBACK", "UNSUPPORTED"],
  }),
};

const FORKED = { Location: "The path of the new execution" };

/** `POST …/{id}/fork`: 201 and the view of the new execution, 200 where the same fork had been made before. */
async function forkRoute(visit: Visit): Promise<Answer> {
  const original = addressInPath(visit);
  const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
  // Nothing has to be said: the whole is forked, under a new id.
  const { created, view } = await forkExecution(original, sent.kind === "document" ? sent.document : {});
  const headers = { location: executionPath(visit.prefix, view.workflow, view.id) };
  return { kind: "document", status: created ? 201 : 200, document: viewDocument(view, visit), headers };
}
