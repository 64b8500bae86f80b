import type { DescribedOperation } from "../openapi/document.ts";
import { FRAME } from "../requests.ts";
import { COOKIE } from "../session.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

/** `GET /openapi.json`: what all routes are for. `operations` gives them, this one included. */
export function openApiEndpoint(operations: () => readonly DescribedOperation[]): Endpoint {
  return {
    route: async ({ prefix }: Visit): Promise<Answer> => {
      // Only who asks for the document pays for what it is made of.
      const { openApiDocument } = await import("../openapi/document.ts");
      const described = { operations: operations(), prefix, frame: FRAME(), cookie: COOKIE };
      return { kind: "document", status: 200, document: openApiDocument(described) };
    },
    describe: () => ({
      id: "openApi",
      summary: "This document",
      answers: { 200: { description: "OpenAPI 3.1", schema: "OpenApi" } },
      problems: [],
    }),
  };
}
