import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { definitionOf, type WorkflowDefinition } from "../../execution/workflow.ts";
import type { Answer, Visit } from "../visit.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Which side of a schema is described: what is to be sent, or what comes out. */
type Side = "input" | "output";

/** `GET /v1/workflows`: what is deployed, in the order of registration; of one name, the last is the one that starts. */
export async function listWorkflows(visit: Visit): Promise<Answer> {
  const definitions = visit.site.deployment.workflows.map(definitionOf).filter((found) => found !== undefined);
  const workflows = definitions.map((definition) => workflowDocument(definition, visit.prefix));
  return { kind: "document", status: 200, document: { workflows } };
}

function workflowDocument(definition: WorkflowDefinition, prefix: string): JsonSchema {
  const { name, version, signals, errors } = definition;
  return {
    name,
    ...(version === undefined ? {} : { version }),
    signals: Object.keys(signals),
    errors: Object.keys(errors),
    schemas: {
      ...present("input", jsonSchemaOf(definition.input, "input")),
      ...present("output", jsonSchemaOf(definition.output, "output")),
      signals: jsonSchemasOf(signals, "input"),
      errors: jsonSchemasOf(errors, "output"),
    },
    links: { executions: `${prefix}/v1/workflows/${name}/executions` },
  };
}

function jsonSchemasOf(schemas: Readonly<Record<string, StandardSchemaV1>>, side: Side): JsonSchema {
  const described = Object.entries(schemas).map(([key, schema]) => [key, jsonSchemaOf(schema, side)] as const);
  return Object.fromEntries(described.filter(([, schema]) => schema !== undefined));
}

function present(key: string, value: unknown): JsonSchema {
  return value === undefined ? {} : { [key]: value };
}

/** By Standard JSON Schema, which a schema library may or may not implement. */
function jsonSchemaOf(schema: Partial<StandardJSONSchemaV1> | StandardSchemaV1 | undefined, side: Side): unknown {
  const standard = schema?.["~standard"];
  if (standard === undefined || !("jsonSchema" in standard)) return undefined;
  try {
    return standard.jsonSchema[side]({ target: "draft-2020-12" });
  } catch {
    // By its contract the conversion throws where JSON Schema has no words for the type, a Date say.
    return undefined;
  }
}
