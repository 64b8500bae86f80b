import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { definitionOf, type WorkflowDefinition } from "../../execution/workflow.ts";
import type { JsonSchema } from "../openapi/description.ts";
import type { WorkflowDocument } from "../openapi/answers.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

/** Which side of a schema is described: what is to be sent, or what comes out. */
type Side = "input" | "output";

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

/** `GET /v1/workflows`: what is deployed, in the order of registration; of one name, the last is the one that starts. */
async function listWorkflows(visit: Visit): Promise<Answer> {
  const definitions = visit.site.deployment.workflows.map(definitionOf).filter((found) => found !== undefined);
  const workflows = definitions.map((definition) => workflowDocument(definition, visit.prefix));
  return { kind: "document", status: 200, document: { workflows } };
}

function workflowDocument(definition: WorkflowDefinition, prefix: string): WorkflowDocument {
  const { name, version, signals, errors } = definition;
  return {
    name,
    ...(version === undefined ? {} : { version }),
    signals: Object.keys(signals),
    errors: Object.keys(errors),
    schemas: {
      input: jsonSchemaOf(definition.input, "input"),
      output: jsonSchemaOf(definition.output, "output"),
      signals: jsonSchemasOf(signals, "input"),
      errors: jsonSchemasOf(errors, "output"),
    },
    links: { executions: `${prefix}/v1/workflows/${name}/executions` },
  };
}

function jsonSchemasOf(
  schemas: Readonly<Record<string, StandardSchemaV1>>,
  side: Side,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([key, schema]) => {
      const described = jsonSchemaOf(schema, side);
      return described === undefined ? [] : [[key, described] as const];
    }),
  );
}

/** By Standard JSON Schema, which a schema library may or may not implement. */
function jsonSchemaOf(
  schema: Partial<StandardJSONSchemaV1> | StandardSchemaV1 | undefined,
  side: Side,
): JsonSchema | undefined {
  const standard = schema?.["~standard"];
  if (standard === undefined || !("jsonSchema" in standard)) return undefined;
  try {
    return standard.jsonSchema[side]({ target: "draft-2020-12" });
  } catch {
    // By its contract the conversion throws where JSON Schema has no words for the type, a Date say.
    return undefined;
  }
}
