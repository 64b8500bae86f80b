import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { EXPLORER_SCRIPT } from "../../../src/worker/docs/explorer-script.ts";
import { PROBLEM_CODES } from "../../../src/worker/problem.ts";
import { describedOperations } from "../../../src/worker/router.ts";
import { checkDocumented } from "../../support/documented.ts";
import { createTestApp, EXECUTIONS, READ_TOKEN } from "./test-app.ts";

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly schema: object; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

let document: Document;
let operations: readonly Operation[];

beforeAll(async () => {
  const { body } = await createTestApp().send("/openapi.json");
  // The cast: what the validator below finds to be so.
  document = body as unknown as Document;
  operations = Object.values(document.paths).flatMap((path) => Object.values(path));
});

/** Checks a value against a schema of the document. */
function faults(schema: object, value: unknown): readonly unknown[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { components } = document;
  const validate = ajv.compile({ ...schema, components });
  return validate(value) ? [] : (validate.errors ?? []);
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    // The validator resolves references in place.
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, "3.1"]);
  });

  it("has every method that its paths answer, and no other", async () => {
    const { send } = createTestApp();
    for (const [path, methods] of Object.entries(document.paths)) {
      const { headers } = await send(path.replaceAll(/[{}]/g, "x"), { method: "OPTIONS" });
      const allowed = headers
        .get("allow")
        ?.split(", ")
        .filter((method) => method !== "HEAD");
      const described = Object.keys(methods).map((method) => method.toUpperCase());
      expect({ path, allowed: allowed?.sort() }).toEqual({ path, allowed: [...described, "OPTIONS"].sort() });
    }
    expect(Object.keys(document.paths)).toContain("/v1/workflows/{workflow}/executions/{id}/signals/{signal}");
  });

  it("gives every operation a name of its own, and a token to all but the public ones", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.filter(({ security }) => security !== undefined).map((open) => open.operationId)).toEqual([
      "health",
      "answerCallback",
      "signInPage",
      "signIn",
      "signOut",
      "deleteSession",
    ]);
  });

  it("has an example of every problem code, and every operation names those that it may answer with", () => {
    expect(Object.keys(document.components.examples).sort()).toEqual([...PROBLEM_CODES].sort());
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      expect([code, faults({ $ref: "#/components/schemas/Problem" }, value)]).toEqual([code, []]);
      expect(value).toMatchObject({ code });
    }
    const named = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.["application/problem+json"]?.examples ?? {}),
      ),
    );
    // A frame is answered inside of a WebSocket.
    expect([...new Set(named), "FRAME_LIMIT"].sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it("has only examples that fit their schemas", () => {
    let checked = 0;
    for (const { operationId, parameters, requestBody, responses } of operations) {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      const media = contents.flatMap((content) => Object.values(content ?? {}));
      for (const { schema, example } of [...parameters, ...media]) {
        if (example === undefined || schema === undefined) continue;
        checked += 1;
        expect([operationId, faults(schema, example)]).toEqual([operationId, []]);
      }
    }
    expect(checked).toBeGreaterThan(50);
    expect(faults({ $ref: "#/components/schemas/View" }, { id: "x" })).not.toEqual([]);
  });

  it("takes what the routes take, and refuses what they refuse", async () => {
    const start = document.paths["/v1/workflows/{workflow}/executions"]?.["post"];
    const schema = start?.requestBody?.content["application/json"]?.schema ?? {};
    for (const [body, status] of [
      [{ input: { sku: "a" } }, 201],
      [{ input: { sku: "a" }, startAt: 5, deadline: "2h", attributes: { a: 1, b: true } }, 201],
      [{ input: { sku: "a" }, id: 5 }, 422],
      [{ input: { sku: "a" }, deadlin: "2h" }, 422],
      [{ input: { sku: "a" }, attributes: { a: {} } }, 422],
    ] as const) {
      expect((await createTestApp().send(EXECUTIONS, { json: body })).status).toBe(status);
      expect([body, faults(schema, body).length === 0]).toEqual([body, status === 201]);
    }
  });

  it("says under which path the routes are", async () => {
    const { send } = createTestApp({ basePath: "/flows" });
    expect((await send("/flows/openapi.json")).body["servers"]).toEqual([{ url: "/flows" }]);
    expect(document.servers).toEqual([{ url: "/" }]);
  });

  it("is for the read token, and for nobody without one", async () => {
    const { send } = createTestApp();
    for (const path of ["/openapi.json", "/docs", "/docs/explorer.js"]) {
      expect((await send(path, { headers: { authorization: `Bearer ${READ_TOKEN}` } })).status).toBe(200);
      expect((await send(path, { headers: { authorization: "" } })).status).toBe(401);
    }
  });

  it("is what the tests of the routes are held to", () => {
    const given = { method: "GET", url: "https://x/v1/workflows", status: 200, contentType: "application/json" };
    const problem = { ...given, status: 409, contentType: "application/problem+json" };
    const conflict = { type: "t", title: "t", status: 409, detail: "d", code: "ID_CONFLICT" };
    expect(() => checkDocumented({ ...given, text: '{"workflows":[]}' })).not.toThrow();
    expect(() => checkDocumented({ ...given, text: '{"workflow":[]}' })).toThrow(/workflows/);
    expect(() => checkDocumented({ ...given, status: 202, text: "{}" })).toThrow(/not documented/);
    expect(() => checkDocumented({ ...problem, text: JSON.stringify(conflict) })).toThrow(/not documented/);
    expect(describedOperations().length).toBe(operations.length);
  });
});

describe("the page of the document", () => {
  it("loads its script and the document from where it is itself, and nothing from elsewhere", async () => {
    const { send } = createTestApp({ basePath: "/flows" });
    const page = await send("/flows/docs", { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect([...page.text.matchAll(/(?:src|href|url)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      "/flows/docs/explorer.js",
      "/flows/openapi.json",
    ]);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("has the script of the package that is installed, and lets it be kept", async () => {
    const file = new URL(
      "../../../node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js",
      import.meta.url,
    );
    const script = readFileSync(file, "utf8");
    expect(gunzipSync(Buffer.from(EXPLORER_SCRIPT, "base64")).toString() === script).toBe(true);
    const { send } = createTestApp();
    const answer = await send("/docs/explorer.js");
    expect(answer.text === script).toBe(true);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=3600");
    const head = await send("/docs/explorer.js", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("is HTML alone, and its script a script alone", async () => {
    const { send } = createTestApp();
    for (const path of ["/docs", "/docs/explorer.js"]) {
      expect((await send(path, { headers: { accept: "application/json" } })).body.code).toBe("NOT_ACCEPTABLE");
      expect((await send(path, { headers: { accept: "text/*" } })).status).toBe(200);
    }
  });
});
