import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const SOURCE = fileURLToPath(new URL("../src/worker/dashboard/", import.meta.url));

/** Each compressed by gzip. */
export interface DashboardFiles {
  readonly script: Buffer;
  readonly style: Buffer;
}

/** What the browser loads for the dashboard besides the page itself: a script and a style. */
export async function buildDashboard(): Promise<DashboardFiles> {
  const { outputFiles } = await build({
    entryPoints: { app: `${SOURCE}main.tsx`, style: `${SOURCE}style/main.css` },
    bundle: true,
    minify: true,
    format: "esm",
    // What has `light-dark()` in its style has all of this.
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfig: `${SOURCE}tsconfig.json`,
    // Names of licenses stand in a file of the package.
    legalComments: "none",
    outdir: "out",
    write: false,
    logLevel: "error",
  });
  const contents = (ending: string) => {
    const found = outputFiles.find(({ path }) => path.endsWith(ending));
    if (found === undefined) throw new Error(`The bundler gave no ${ending}.`);
    return gzipSync(found.contents, { level: 9 });
  };
  return { script: contents("app.js"), style: contents("style.css") };
}
