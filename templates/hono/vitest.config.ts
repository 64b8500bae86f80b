import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // In the runtime that it is deployed to.
  plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
  // Clocks are real there, and so are waits.
  test: { testTimeout: 30_000 },
});
