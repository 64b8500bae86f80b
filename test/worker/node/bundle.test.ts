import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

/** How esbuild names a module that it makes a function of. */
const MODULE_FUNCTION = /^ {2}"(src\/[^"]+)"\(\) \{$/gm;

it("starts a bundle of one file without functions for modules, but of those that parts loaded later share", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "src/index.workerd.ts")],
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    write: false,
  });
  const [{ text } = { text: "" }] = outputFiles;
  const functions = [...text.matchAll(MODULE_FUNCTION)].map(([, path = ""]) => path);
  expect(functions.filter((path) => !path.startsWith("src/worker/openapi/")).sort()).toEqual([
    "src/journal/budget.ts",
    "src/journal/execution-state.ts",
    "src/journal/state.ts",
    "src/limits.ts",
    "src/steps/read-fields.ts",
    "src/steps/show-value.ts",
    "src/worker/dashboard-files/files.ts",
    "src/worker/docs/explorer-script.ts",
    "src/worker/media-type.ts",
    "src/worker/problem.ts",
    "src/worker/sign-in-page.ts",
    "src/worker/sign-in-path.ts",
  ]);
});
