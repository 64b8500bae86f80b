import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

// In the runtime that it is deployed to.
export default defineConfig({ plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })] });
