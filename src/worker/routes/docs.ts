import { embeddedFile } from "../embedded.ts";
import { acceptedOnly } from "../media-type.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

const HTML = "text/html";
const SCRIPT = "text/javascript";
const SCRIPT_PATH = "/docs/explorer.js";

/** Nothing comes from another host, and nothing is sent to one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `GET /docs`: the OpenAPI document, to be read and tried. */
export const DOCS: Endpoint = {
  route: docsPage,
  acceptedForm: acceptedOnly(HTML),
  describe: () => ({
    id: "docs",
    summary: "This document as a page",
    answers: { 200: { description: "The page", mediaType: HTML, example: "<!doctype html>…" } },
    problems: [],
  }),
};

/** `GET /docs/explorer.js`: what the page is shown by. */
export const EXPLORER: Endpoint = {
  route: explorerScript,
  acceptedForm: acceptedOnly(SCRIPT),
  describe: () => ({
    id: "docsScript",
    summary: "The script of that page",
    answers: { 200: { description: "The script", mediaType: SCRIPT, example: "(()=>{…})();" } },
    problems: [],
  }),
};

async function docsPage({ prefix }: Visit): Promise<Answer> {
  const headers = { "content-type": `${HTML}; charset=utf-8`, "content-security-policy": POLICY };
  return { kind: "response", response: new Response(page(prefix), { headers }) };
}

/** The prefix is a path whose other characters are percent-encoded: nothing in it ends an attribute. */
function page(prefix: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Stepwell: HTTP interface</title>
    <script src="${prefix}${SCRIPT_PATH}" type="module"></script>
  </head>
  <body>
    <openapi-explorer spec-url="${prefix}/openapi.json" hide-server-selection="true"></openapi-explorer>
  </body>
</html>
`;
}

async function explorerScript({ request }: Visit): Promise<Answer> {
  const headers = { "content-type": `${SCRIPT}; charset=utf-8`, "cache-control": "private, max-age=3600" };
  if (request.method === "HEAD") return { kind: "response", response: new Response(null, { headers }) };
  // Only who looks at the page pays for it: nothing else reads this module.
  const { EXPLORER_SCRIPT } = await import("../docs/explorer-script.ts");
  return { kind: "response", response: new Response(embeddedFile(EXPLORER_SCRIPT), { headers }) };
}
