import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { buildDashboard } from "./build-dashboard.ts";

const KIB = 1_024;

/**
 * What an application pays for each entry point: minified and compressed with all of its dependencies but the peer,
 * which the application has anyway. `start` is what runs when a Worker starts; `whole` also holds what is only run where
 * a route asks for it: the OpenAPI document, the page that shows it, and the dashboard. A budget is raised in the commit
 * that needs it, with the reason in its message.
 */
const BUDGETS: readonly Budget[] = [
  {
    entry: "dist/index.workerd.js",
    conditions: ["workerd", "worker", "browser"],
    maximumGzipBytes: { start: 112 * KIB, whole: 392 * KIB },
  },
  // An execution's object alone: the engine, its value codec, its hash and the times of schedules.
  {
    entry: "dist/durable-object/execution-object.js",
    conditions: ["workerd", "worker", "browser"],
    maximumGzipBytes: { start: 76 * KIB, whole: 76 * KIB },
  },
  { entry: "dist/index.js", conditions: ["node"], maximumGzipBytes: { start: 72 * KIB, whole: 352 * KIB } },
  {
    entry: "dist/testing/index.js",
    conditions: ["node"],
    maximumGzipBytes: { start: 88 * KIB, whole: 88 * KIB },
  },
  {
    entry: "dist/testing/workerd.js",
    conditions: ["workerd", "worker", "browser"],
    maximumGzipBytes: { start: 8 * KIB, whole: 8 * KIB },
  },
  { entry: "dist/lint/index.js", conditions: ["node"], maximumGzipBytes: { start: 20 * KIB, whole: 20 * KIB } },
  {
    entry: "dist/otel/index.js",
    conditions: ["workerd", "worker", "browser"],
    maximumGzipBytes: { start: 2 * KIB, whole: 2 * KIB },
  },
  { entry: "dist/client/index.js", conditions: ["browser"], maximumGzipBytes: { start: 6 * KIB, whole: 6 * KIB } },
];

const PARTS = ["start", "whole"] as const;
type Part = (typeof PARTS)[number];

interface Budget {
  readonly entry: string;
  /** Export conditions of the bundler, in the runtime that the entry is for. */
  readonly conditions: readonly string[];
  readonly maximumGzipBytes: Readonly<Record<Part, number>>;
}

async function gzipBytes({ entry, conditions }: Budget): Promise<Readonly<Record<Part, number>>> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: [...conditions],
    external: ["hono", "hono/*", "cloudflare:*", "node:*", "@opentelemetry/api"],
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

const inKib = (bytes: number): string => `${(bytes / KIB).toFixed(1)} KiB`;

async function checkSizes(): Promise<boolean> {
  let within = true;
  for (const budget of BUDGETS) {
    const { entry, maximumGzipBytes } = budget;
    const sizes = await gzipBytes(budget);
    for (const part of PARTS) {
      const bytes = sizes[part];
      const maximum = maximumGzipBytes[part];
      console.log(`${entry}, ${part}: ${inKib(bytes)} of ${inKib(maximum)} (gzip)`);
      if (bytes > 0 && bytes <= maximum) continue;
      within = false;
      console.error(
        `Cannot ship ${entry} as its ${part} may have at most ${maximum} bytes: current value is ${bytes}.`,
      );
    }
  }
  return within;
}

/** All that a browser loads for the dashboard but its page, which is nearly empty. */
const DASHBOARD_GZIP_BYTES = 60 * KIB;

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
