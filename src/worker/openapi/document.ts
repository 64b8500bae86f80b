import * as z from "zod/mini";
import { LIMITS } from "../../limits.ts";
import { FORM_TYPE, JSON_TYPE, VALUE_TYPE } from "../media-type.ts";
import { PROBLEM_CODES, PROBLEM_TYPE, Problem, problemDocument, type ProblemCode } from "../problem.ts";
import { ANSWERS } from "./answers.ts";
import type { DescribedAnswer, DescribedBody, Description, HeaderName, JsonSchema } from "./description.ts";
import { ANSWER_EXAMPLES, PROBLEM_EXAMPLES } from "./examples.ts";

/** One operation: where it is, and what it is for. */
export interface DescribedOperation {
  readonly method: string;
  /** As the router has it: `/v1/workflows/:workflow`. */
  readonly path: string;
  readonly description: Description;
}

const DESCRIPTION = `Starts, watches and commands the executions of one deployment of Stepwell.

Values are plain JSON: dates are ISO 8601, bigints and numbers that JSON has not are strings, maps are arrays of entries, bytes are base64. With \`Accept: ${VALUE_TYPE}\` they come as the value codec writes them, and in bodies of that type they are read so. Times are Unix milliseconds.

What is refused is a problem document (RFC 9457) with a \`code\`.`;

/**
 * What the document is made of. Handed over, and not imported: where all is bundled into one file, each module that is
 * imported here becomes a function, which the start of a Worker is slower to run.
 */
export interface Described {
  readonly operations: readonly DescribedOperation[];
  /** The path that the routes are reached under. */
  readonly prefix: string;
  readonly frame: z.ZodMiniType;
  readonly cookie: string;
}

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument({ operations, prefix, frame, cookie }: Described): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: "3.1.1",
    info: { title: "Stepwell", version: "1", description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The full token, or the read token for GET." },
        session: { type: "apiKey", in: "cookie", name: cookie, description: "Of a browser that has signed in." },
      },
      schemas: { ...answerSchemas(), Frame: jsonSchemaOf(frame, "input") },
      examples: Object.fromEntries(PROBLEM_CODES.map((code) => [code, { value: problemExample(code) }])),
    },
  };
}

function operationObject({ method, path, description: described }: DescribedOperation): JsonSchema {
  const { id, summary, description, body, isPublic } = described;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(isPublic === true && { security: [] }),
    parameters: [...pathParameters(path), ...queryParameters(described), ...headerParameters(described)],
    ...(body !== undefined && { requestBody: bodyObject(body) }),
    responses: { ...answersOf(described), ...problemsOf(method, path, described) },
  };
}

const IDENTIFIER = "^(?!\\.{1,2}$)[A-Za-z0-9._~-]+$";

const PATH_PARAMETERS: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>> = {
  workflow: { schema: { type: "string", maxLength: LIMITS.workflowNameLength }, example: "order" },
  id: { schema: { type: "string", pattern: IDENTIFIER, maxLength: LIMITS.executionIdLength }, example: "order-42" },
  signal: { schema: { type: "string", pattern: IDENTIFIER, maxLength: LIMITS.signalNameLength }, example: "approval" },
  schedule: { schema: { type: "string", maxLength: LIMITS.scheduleNameLength }, example: "nightly" },
  token: { schema: { type: "string" }, example: "order.order-42.1796029200000.0.mLx3" },
  entry: { schema: { type: "integer", minimum: 0 }, example: 2 },
  version: { schema: { type: "string" }, example: "0f3a9c1be27d" },
};

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const known = PATH_PARAMETERS[name];
    if (known === undefined) throw new Error(`Cannot describe ${path} as its parameters must be known: ${name} is not`);
    return { name, in: "path", required: true, ...known };
  });
}

/** What the schema makes of the texts of a query is what they mean. */
function queryParameters({ query }: Description): JsonSchema[] {
  if (query === undefined) return [];
  // The cast: the schema is of an object.
  const { properties } = jsonSchemaOf(query, "output") as { readonly properties: Readonly<Record<string, JsonSchema>> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

const HEADERS: Readonly<Record<HeaderName, JsonSchema>> = {
  "Idempotency-Key": {
    description: "The same request again under the same key counts once.",
    schema: { type: "string", minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
    example: "click-1",
  },
  Prefer: {
    description: `How long to wait for the answer, in seconds: at most ${LIMITS.requestWaitMs / 1_000}.`,
    schema: { type: "string" },
    example: "wait=30",
  },
  "Last-Event-ID": {
    description: "The number of the last entry that was seen. Comes before `from`.",
    schema: { type: "integer", minimum: 0 },
    example: 7,
  },
};

function headerParameters({ headers = [] }: Description): JsonSchema[] {
  return headers.map((name) => ({ name, in: "header", ...HEADERS[name] }));
}

function bodyObject({ schema, example, isFormToo }: DescribedBody): JsonSchema {
  const content = { schema: schema === undefined ? {} : jsonSchemaOf(schema, "input") };
  const form = isFormToo === true && { [FORM_TYPE]: content };
  return { content: { [JSON_TYPE]: { ...content, example }, [VALUE_TYPE]: content, ...form } };
}

function answersOf({ answers }: Description): JsonSchema {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerObject(answer)]));
}

function answerObject({ description, schema, mediaType = JSON_TYPE, example, headers }: DescribedAnswer): JsonSchema {
  const shown = example ?? (schema === undefined ? undefined : ANSWER_EXAMPLES[schema]);
  const content = {
    schema: schema === undefined ? { type: "string" } : reference("schemas", schema),
    ...(shown !== undefined && { example: shown }),
  };
  const hasBody = schema !== undefined || example !== undefined;
  return {
    description,
    ...(headers !== undefined && { headers: headerObjects(headers) }),
    ...(hasBody && { content: { [mediaType]: content } }),
  };
}

function headerObjects(headers: Readonly<Record<string, string>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

/** By status, as the document has one answer for each. */
function problemsOf(method: string, path: string, described: Description): JsonSchema {
  const answers: Record<string, JsonSchema> = { default: problemAnswer("Any other problem", ["METHOD_NOT_ALLOWED"]) };
  const byStatus = Map.groupBy(
    problemCodesOf(method, path, described),
    (code) => problemDocument(new Problem(code, "")).status,
  );
  for (const [status, codes] of byStatus) answers[status] = problemAnswer(codes.join(", "), codes);
  return answers;
}

export function problemCodesOf(
  method: string,
  path: string,
  { body, query, isPublic, problems }: Description,
): Set<ProblemCode> {
  const codes = new Set<ProblemCode>(["NOT_ACCEPTABLE", "INTERNAL_ERROR", "NOT_CONFIGURED"]);
  const add = (applies: boolean, ...added: readonly ProblemCode[]) => {
    if (applies) for (const code of added) codes.add(code);
  };
  add(isPublic !== true, "UNAUTHORIZED", "INVALID_PATH");
  add(method !== "GET", "FORBIDDEN");
  add(path.includes(":workflow"), "NOT_FOUND", "UNAVAILABLE");
  add(path.includes(":id"), "INVALID_ID");
  add(path.includes(":entry") || query !== undefined, "VALIDATION_ERROR");
  add(body !== undefined, "INVALID_JSON", "VALUE_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_ERROR");
  add(true, ...problems);
  return codes;
}

function problemAnswer(description: string, codes: readonly ProblemCode[]): JsonSchema {
  const examples = Object.fromEntries(codes.map((code) => [code, reference("examples", code)]));
  return { description, content: { [PROBLEM_TYPE]: { schema: reference("schemas", "Problem"), examples } } };
}

function problemExample(code: ProblemCode): unknown {
  const issues = [{ path: "input.sku", message: "Invalid input: expected string, received undefined" }];
  return problemDocument(new Problem(code, PROBLEM_EXAMPLES[code], code === "VALIDATION_ERROR" ? { issues } : {}));
}

function answerSchemas(): JsonSchema {
  return Object.fromEntries(Object.entries(ANSWERS).map(([name, schema]) => [name, jsonSchemaOf(schema, "output")]));
}

function reference(kind: "schemas" | "examples", name: string): JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

function jsonSchemaOf(schema: z.ZodMiniType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
