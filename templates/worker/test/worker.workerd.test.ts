import { env, exports } from "cloudflare:workers";
import { createClient } from "stepwell/client";
import { drain, evict } from "stepwell/testing/workerd";
import { expect, it } from "vitest";
import { greeting } from "../src/greeting.ts";

const client = createClient({ url: "http://localhost", fetcher: exports.default });

it("goes on where it was when its object has left memory", async () => {
  const handle = await client.start(greeting, { to: "Ada" }, { id: "first" });
  await evict(env.EXECUTIONS, greeting, "first");
  await handle.signal("answer", { text: "Good day!" });
  expect(await handle.result()).toEqual({ text: "Hello, Ada!", answer: "Good day!" });
  await drain(env.EXECUTIONS);
});
