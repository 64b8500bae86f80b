import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { describeClient } from "../support/client-suite/describe-client.ts";
import { CLIENT_SCHEDULES, CLIENT_WORKFLOWS } from "../support/client-workflows.ts";
import { serveApp } from "../support/served-app.ts";
import { registerApp } from "../workers/registry.ts";
import { TOKEN } from "./node/test-app.ts";

const { app, bindings, fetch } = serveApp({ workflows: CLIENT_WORKFLOWS, schedules: CLIENT_SCHEDULES });
const URL_OF_APP = "https://flows.example.com";

registerApp(fetch);
const platformFetch = globalThis.fetch;
vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init);
  return request.url.startsWith(`${URL_OF_APP}/`) ? fetch(request) : platformFetch(request);
});

describeClient("over-http", createClient({ url: URL_OF_APP, token: TOKEN }));
describeClient("over-a-service-binding", createClient({ fetcher: env.FLOWS, token: TOKEN }));
describeClient("inside-the-worker", app.client(bindings));
