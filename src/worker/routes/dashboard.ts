import { DASHBOARD_VERSION } from "../dashboard-files/version.ts";
import { embeddedFile } from "../embedded.ts";
import { hasTokens, tokensOf } from "../configuration.ts";
import { acceptedOnly } from "../media-type.ts";
import { Problem } from "../problem.ts";
import type { Role } from "../site.ts";
import type { Answer, Endpoint, Visit } from "../visit.ts";

const HTML = "text/html";
const SCRIPT = "text/javascript";
const STYLE = "text/css";
const ASSETS_PATH = "/dashboard/assets";

/** Nothing comes from another host and nothing is sent to one, no script stands in the page, and no frame holds it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The path of a file changes with what is in it. Behind a token, so it is for this browser alone. */
const KEPT = "private, max-age=31536000, immutable";

/** The pages, by their paths. All of them are the same document: which page it shows, its script finds in the address. */
export const DASHBOARD_PAGES = {
  "/dashboard": { GET: pageEndpoint("dashboard", "The dashboard: all executions") },
  "/dashboard/executions/:workflow/:id": { GET: pageEndpoint("dashboardExecution", "The dashboard: one execution") },
  "/dashboard/workflows": { GET: pageEndpoint("dashboardWorkflows", "The dashboard: what is deployed") },
  "/dashboard/schedules": { GET: pageEndpoint("dashboardSchedules", "The dashboard: what is started by the clock") },
} as const;

/** `GET /dashboard/assets/{version}/app.js` and `…/app.css`: what the pages load. */
export const DASHBOARD_ASSETS = {
  [`${ASSETS_PATH}/:version/app.js`]: { GET: assetEndpoint("dashboardScript", SCRIPT) },
  [`${ASSETS_PATH}/:version/app.css`]: { GET: assetEndpoint("dashboardStyle", STYLE) },
};

function pageEndpoint(id: string, summary: string): Endpoint {
  return {
    route: page,
    acceptedForm: acceptedOnly(HTML),
    describe: () => ({
      id,
      summary,
      answers: { 200: { description: "The page", mediaType: HTML, example: "<!doctype html>…" } },
      problems: [],
    }),
  };
}

async function page({ prefix, role, site, env }: Visit): Promise<Answer> {
  // A deployment with an `auth` of its own has its own way out.
  const canSignOut = site.auth === undefined && hasTokens(tokensOf(env));
  const headers = {
    "content-type": `${HTML}; charset=utf-8`,
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return { kind: "response", response: new Response(pageText({ prefix, role, canSignOut }), { headers }) };
}

/** The prefix is a path whose other characters are percent-encoded: nothing in it ends an attribute. */
function pageText({ prefix, role, canSignOut }: { prefix: string; role: Role; canSignOut: boolean }): string {
  const assets = `${prefix}${ASSETS_PATH}/${DASHBOARD_VERSION}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Stepwell</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${assets}/app.css">
    <script src="${assets}/app.js" type="module"></script>
  </head>
  <body data-prefix="${prefix}" data-role="${role}" data-can-sign-out="${canSignOut}">
    <noscript>The dashboard needs JavaScript. Everything it shows is in the HTTP interface: <a href="${prefix}/docs">see there</a>.</noscript>
  </body>
</html>
`;
}

function assetEndpoint(id: string, type: typeof SCRIPT | typeof STYLE): Endpoint {
  return {
    route: (visit) => asset(visit, type),
    acceptedForm: acceptedOnly(type),
    describe: () => ({
      id,
      summary: "A part of the dashboard",
      answers: { 200: { description: "The file", mediaType: type, example: "…" } },
      problems: ["NOT_FOUND"],
    }),
  };
}

async function asset(visit: Visit, type: typeof SCRIPT | typeof STYLE): Promise<Answer> {
  if (visit.parameter("version") !== DASHBOARD_VERSION) {
    throw new Problem("NOT_FOUND", "Another version of the dashboard is deployed; load the page again");
  }
  const headers = { "content-type": `${type}; charset=utf-8`, "cache-control": KEPT };
  if (visit.request.method === "HEAD") return { kind: "response", response: new Response(null, { headers }) };
  // Only who looks at the dashboard pays for it: nothing else reads this module.
  const { DASHBOARD_SCRIPT, DASHBOARD_STYLE } = await import("../dashboard-files/files.ts");
  const body = embeddedFile(type === SCRIPT ? DASHBOARD_SCRIPT : DASHBOARD_STYLE);
  return { kind: "response", response: new Response(body, { headers }) };
}
