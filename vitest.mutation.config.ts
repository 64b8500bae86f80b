import { defineConfig } from "vitest/config";

/**
 * The tests that a broken decision of the pure layers has to fail: those that cover them completely, and none besides.
 * The whole suite runs thousands of times, so property tests take fewer examples.
 */
export default defineConfig({
  test: {
    environment: "node",
    // The engine of these layers keeps nothing outside its arguments, so that one worker serves them all.
    isolate: false,
    include: ["test/{steps,journal}/**/*.test.ts"],
    // Ten seconds for the one bound that it reaches.
    exclude: ["test/journal/value-canonical-bound.test.ts"],
    setupFiles: ["test/support/few-examples.ts"],
    testTimeout: 60_000,
  },
});
