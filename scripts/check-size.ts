import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { buildDashboard } from "./build-dashboard.ts";
import {
  DASHBOARD_GZIP_BYTES,
  inKib,
  SIZE_BUDGETS,
  SIZE_PARTS,
  type SizeBudget,
  type SizePart,
} from "./size-budgets.ts";

async function gzipBytes({ entry, conditions, without = [] }: SizeBudget): Promise<Readonly<Record<SizePart, number>>> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: [...conditions],
    external: ["hono", "hono/*", "cloudflare:*", "node:*", "@opentelemetry/api", ...without],
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const atStart = reachedAtStart(entry, metafile.outputs);
  const sizes = { start: 0, whole: 0 };
  for (const { path, contents } of outputFiles) {
    const bytes = gzipSync(contents).byteLength;
    sizes.whole += bytes;
    if (atStart.has(relative(process.cwd(), path))) sizes.start += bytes;
  }
  return sizes;
}

/** The outputs that the entry imports by statements, and what those do. */
function reachedAtStart(entry: string, outputs: Metafile["outputs"]): ReadonlySet<string> {
  const reached = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry));
  for (const path of reached) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && outputs[imported] !== undefined) reached.add(imported);
    }
  }
  return reached;
}

async function checkSizes(): Promise<boolean> {
  let within = true;
  for (const budget of SIZE_BUDGETS) {
    const { name, maximumGzipBytes } = budget;
    const sizes = await gzipBytes(budget);
    for (const part of SIZE_PARTS) {
      const bytes = sizes[part];
      const maximum = maximumGzipBytes[part];
      console.log(`${name}, ${part}: ${inKib(bytes)} of ${inKib(maximum)} (gzip)`);
      if (bytes > 0 && bytes <= maximum) continue;
      within = false;
      console.error(`Cannot ship ${name} as its ${part} may have at most ${maximum} bytes: current value is ${bytes}.`);
    }
  }
  return within;
}

async function checkDashboard(): Promise<boolean> {
  const { script, style } = await buildDashboard();
  const bytes = script.byteLength + style.byteLength;
  console.log(`the dashboard: ${inKib(bytes)} of ${inKib(DASHBOARD_GZIP_BYTES)} (gzip)`);
  if (bytes <= DASHBOARD_GZIP_BYTES) return true;
  console.error(
    `Cannot ship the dashboard as it may have at most ${DASHBOARD_GZIP_BYTES} bytes: current value is ${bytes}.`,
  );
  return false;
}

const areWithin = [await checkSizes(), await checkDashboard()];
if (areWithin.includes(false)) process.exitCode = 1;
