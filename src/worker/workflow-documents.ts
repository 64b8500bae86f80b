import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Deployment } from "../execution/deployment.ts";
import { definitionOf, type WorkflowDefinition } from "../execution/workflow.ts";
import type { WorkflowDocument } from "./openapi/answers.ts";
import type { JsonSchema } from "./openapi/description.ts";

/** Which side of a schema is described: what is to be sent, or what comes out. */
type Side = "input" | "output";

/** What is deployed, in the order of registration; of one name, the last is the one that starts. */
export function workflowDocuments({ workflows }: Deployment, prefix: string): readonly WorkflowDocument[] {
  const definitions = workflows.map(definitionOf).filter((found) => found !== undefined);
  return definitions.map((definition) => workflowDocument(definition, prefix));
}

function workflowDocument(definition: WorkflowDefinition, prefix: string): WorkflowDocument {
  const { name, version, signals, errors } = definition;
  const input = jsonSchemaOf(definition.input, "input");
  const output = jsonSchemaOf(definition.output, "output");
  return {
    name,
    ...(version === undefined ? {} : { version }),
    signals: Object.keys(signals),
    errors: Object.keys(errors),
    schemas: {
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
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
