import { Hono } from "hono";
import { stepwell } from "stepwell";
import { thumbnails } from "./fan-out.ts";
import { order } from "./order.ts";
import { reminder } from "./reminder.ts";
import { tree } from "./tree.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      FLOWS: Fetcher;
      DB: D1Database;
      STEPWELL_TOKEN: string;
      EXECUTIONS: DurableObjectNamespace<import("./app.ts").Execution>;
    }
    interface GlobalProps {
      mainModule: typeof import("./app.ts");
      durableNamespaces: "Execution";
    }
  }
}

export const app = stepwell({ workflows: [order, reminder, thumbnails, tree] });
export class Execution extends app.Execution {}
export class Directory extends app.Directory {}

const api = new Hono<{ Bindings: Cloudflare.Env }>();
api.route("/flows", app.router);
api.post("/buy", async (c) => {
  const handle = await app.client(c.env).start(order, { sku: "a", cents: 5 }, { id: "order-1", wait: "5s" });
  return c.json({ id: handle.id });
});
api.post("/approve/:id", async (c) => {
  const client = app.client(c.env);
  await client.get(order, c.req.param("id")).signal("approval", { approved: true });
  return c.body(null, 204);
});

export default {
  fetch: api.fetch,
  async scheduled(controller, env) {
    await app.client(env).start(reminder, { to: "a@b.c", days: 3 }, { id: `r-${controller.scheduledTime}` });
  },
} satisfies ExportedHandler<Cloudflare.Env>;
app satisfies ExportedHandler<Cloudflare.Env>;
