import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { freePort, startWorker } from "../../examples/demo/processes.ts";
import { createClient } from "../../src/client/index.ts";
import { describeClient } from "../support/client-suite/describe-client.ts";

const TOKEN = "full-token";

const folder = await mkdtemp(join(tmpdir(), "stepwell-client-"));
const config = join(import.meta.dirname, "client/wrangler.toml");
const worker = await startWorker({
  port: await freePort(),
  persistTo: folder,
  vars: { STEPWELL_TOKEN: TOKEN },
  config,
});

afterAll(async () => {
  await worker.stop();
  await rm(folder, { recursive: true, force: true });
});

describeClient("from-node", createClient({ url: worker.url, token: TOKEN }));
