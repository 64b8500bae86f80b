import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { start } from "workflow/api";
import { getWorld } from "workflow/runtime";
import { freePort } from "../../../examples/demo/processes.ts";
import { serve } from "../serve.ts";

type Handler = (request: Request) => Promise<Response>;

/** What its compiler has made of `program-workflow.ts`. */
const compiled = createRequire(import.meta.url);
const WORKFLOW = { workflowId: "workflow//./program-workflow//program" };

const port = await freePort();
const world = `http://127.0.0.1:${port}`;
// Read when a run is stored or queued: by this module, and by what was compiled.
process.env["WORKFLOW_LOCAL_BASE_URL"] = world;
process.env["WORKFLOW_LOCAL_DATA_DIR"] = join(process.env["STORAGE"] ?? "", "workflow-data");

// The casts: its compiler writes these modules.
const routes: Readonly<Record<string, Handler>> = {
  "/.well-known/workflow/v1/flow": (compiled("./.well-known/workflow/v1/flow.js") as { POST: Handler }).POST,
  "/.well-known/workflow/v1/step": (compiled("./.well-known/workflow/v1/step.js") as { POST: Handler }).POST,
};

/** Where its queue delivers what is to be done, as the adapters for web frameworks mount it. */
const queue = createServer((request, response) => {
  const answer = async () => {
    const path = request.url ?? "/";
    const handler = routes[path];
    if (handler === undefined) return void response.writeHead(404).end();
    const given = { method: "POST", headers: headersOf(request), body: await bodyOf(request) };
    const { status, headers, body } = await handler(new Request(world + path, given)).then(async (made) => ({
      status: made.status,
      headers: Object.fromEntries(made.headers),
      body: await made.text(),
    }));
    response.writeHead(status, headers).end(body);
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
});
queue.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => queue.listen(port, "127.0.0.1", resolve));

// Takes up what was running when the process ended.
await getWorld().start?.();

serve({
  async begin(input) {
    const run = await start(WORKFLOW, [input]);
    return () => run.returnValue;
  },
});

function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") given.set(name, value);
  return given;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
