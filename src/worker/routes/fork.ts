import { addressInPath } from "../addressed.ts";
import { readBody } from "../body.ts";
import { forkExecution } from "../fork-request.ts";
import { executionPath, viewDocument } from "../view-document.ts";
import type { Answer, Visit } from "../visit.ts";

/** `POST …/{id}/fork`: 201 and the view of the new execution, 200 where the same fork had been made before. */
export async function forkRoute(visit: Visit): Promise<Answer> {
  const original = addressInPath(visit);
  const sent = await readBody(visit.request, visit.site.deployment.maximumValueBytes);
  // Nothing has to be said: the whole is forked, under a new id.
  const { created, view } = await forkExecution(original, sent.kind === "document" ? sent.document : {});
  const headers = { location: executionPath(visit.prefix, view.workflow, view.id) };
  return { kind: "document", status: created ? 201 : 200, document: viewDocument(view, visit), headers };
}
