import { env, exports } from "cloudflare:workers";
import { createClient } from "stepwell/client";
import { drain } from "stepwell/testing/workerd";
import { expect, it } from "vitest";
import { greeting } from "../src/greeting.ts";

const worker = exports.default;

it("starts an execution by a route of its own, once for each visitor", async () => {
  const visit = () => worker.fetch("http://localhost/visitors/ada", { method: "POST" });
  expect(await (await visit()).json()).toEqual({ id: "visitor-ada", created: true });
  expect(await (await visit()).json()).toEqual({ id: "visitor-ada", created: false });

  const client = createClient({ url: "http://localhost/flows", fetcher: worker });
  const handle = client.get(greeting, "visitor-ada");
  await handle.signal("answer", { text: "Good day!" });
  expect(await handle.result()).toEqual({ text: "Hello, ada!", answer: "Good day!" });
  await drain(env.EXECUTIONS);
});

it("answers beside the router", async () => {
  expect(await (await worker.fetch("http://localhost/")).text()).toBe("A shop that greets.");
  expect((await worker.fetch("http://localhost/v1/workflows")).status).toBe(404);
});
