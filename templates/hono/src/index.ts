import { Hono } from "hono";
import { stepwell } from "stepwell";
import { greeting } from "./greeting.ts";

// `basePath` is where the router is mounted: the URLs that Stepwell makes begin with it.
const flows = stepwell({ workflows: [greeting], basePath: "/flows" });

/** One Durable Object for each execution: binding `EXECUTIONS` in wrangler.toml. */
export class Execution extends flows.Execution {}

/** The index of them: binding `DIRECTORY`. */
export class Directory extends flows.Directory {}

const app = new Hono<{ Bindings: Cloudflare.Env }>();

app.get("/", (c) => c.text("A shop that greets."));

// A route of the application starts a workflow in the same Worker: without HTTP, and without a token.
app.post("/visitors/:name", async (c) => {
  const to = c.req.param("name");
  const handle = await flows.client(c.env).start(greeting, { to }, { id: `visitor-${to}` });
  return c.json({ id: handle.id, created: handle.created }, handle.created ? 201 : 200);
});

app.route("/flows", flows.router);

export default app;
