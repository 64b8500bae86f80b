import { fileURLToPath } from "node:url";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The package under its published name, as authors import it: each runtime gets the entry of its export condition. */
function packageAlias(rootEntry: string) {
  return [
    { find: /^stepwell$/, replacement: path(rootEntry) },
    { find: /^stepwell\/client$/, replacement: path("./src/client/index.ts") },
    { find: /^stepwell\/otel$/, replacement: path("./src/otel/index.ts") },
    { find: /^stepwell\/testing$/, replacement: path("./src/testing/index.ts") },
    { find: /^stepwell\/testing\/workerd$/, replacement: path("./src/testing/workerd.ts") },
  ];
}

const LONG = process.env["STEPWELL_LONG"] === "1";
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: packageAlias("./src/index.ts") },
        test: {
          name: "node",
          environment: "node",
          maxWorkers: "100%",
          include: [
            "test/*.test.ts",
            "test/{schedules,otel,steps,journal,execution,testing,simulation,fixtures,chaos,load,examples,client,lint,cli,docs}/**/*.test.ts",
            "test/worker/node/**/*.test.ts",
            "examples/**/*.test.ts",
            "bench/{*,scale/*}.test.ts",
          ],
          exclude: ["test/testing/workerd/**"],
          testTimeout: LONG ? 60 * MINUTE_MS : MINUTE_MS,
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./test/workers/wrangler.toml" } })],
        resolve: { alias: packageAlias("./src/index.workerd.ts") },
        test: {
          name: "workers",
          globalSetup: "./test/support/serve-http.ts",
          maxWorkers: "100%",
          include: ["test/{durable-object,worker,workers,testing}/**/*.test.ts"],
          exclude: ["test/{worker,testing}/node/**"],
          testTimeout: 30 * SECOND_MS,
        },
      },
      {
        resolve: { alias: packageAlias("./src/index.ts") },
        test: {
          name: "process",
          environment: "node",
          include: ["test/process/**/*.test.ts"],
          // Each file starts real processes and measures real time: alone, and after everything else.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 5 * MINUTE_MS,
          hookTimeout: MINUTE_MS,
        },
      },
      {
        resolve: { alias: packageAlias("./src/index.ts") },
        test: {
          name: "browser",
          environment: "node",
          globalSetup: "./test/browser/set-up.ts",
          include: ["test/browser/**/*.test.ts"],
          // They share a Worker and a browser, and wait more than they compute.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          testTimeout: 2 * MINUTE_MS,
          hookTimeout: 2 * MINUTE_MS,
        },
      },
    ],
    coverage: {
      provider: "istanbul",
      include: ["src/schedules/**", "src/steps/**", "src/journal/**"],
      reporter: ["text", "json-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
