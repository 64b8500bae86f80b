import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      // Workflows alone, with a clock that the test moves.
      { test: { name: "node", include: ["test/*.test.ts"], exclude: ["test/*.workerd.test.ts"] } },
      // The whole Worker, in the runtime that it is deployed to.
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        // Clocks are real there, and so are waits.
        test: { name: "workerd", include: ["test/*.workerd.test.ts"], testTimeout: 30_000 },
      },
    ],
  },
});
