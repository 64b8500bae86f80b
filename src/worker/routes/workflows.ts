import type { Answer, Endpoint, Visit } from "../visit.ts";
import { workflowDocuments } from "../workflow-documents.ts";

export const WORKFLOWS: Endpoint = {
  route: listWorkflows,
  describe: () => ({
    id: "listWorkflows",
    summary: "The workflows that are deployed",
    description: "With JSON Schemas where the schema library of a workflow gives them. Of one name, the last starts.",
    answers: { 200: { description: "In the order of registration", schema: "Workflows" } },
    problems: [],
  }),
};

/** `GET /v1/workflows` */
async function listWorkflows({ site, prefix }: Visit): Promise<Answer> {
  return { kind: "document", status: 200, document: { workflows: workflowDocuments(site.deployment, prefix) } };
}
