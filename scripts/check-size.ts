import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const KIB = 1_024;

/**
 * What an application pays for each entry point: minified and compressed with all of its dependencies but the peer,
 * which the application has anyway. A budget is raised in the commit that needs it, with the reason in its message.
 */
const BUDGETS: readonly Budget[] = [
  { entry: "dist/index.workerd.js", conditions: ["workerd", "worker", "browser"], maximumGzipBytes: 72 * KIB },
  { entry: "dist/testing/index.js", conditions: ["node"], maximumGzipBytes: 68 * KIB },
  { entry: "dist/testing/workerd.js", conditions: ["workerd", "worker", "browser"], maximumGzipBytes: 8 * KIB },
  { entry: "dist/index.js", conditions: ["node"], maximumGzipBytes: 60 * KIB },
  { entry: "dist/client/index.js", conditions: ["browser"], maximumGzipBytes: 6 * KIB },
  { entry: "dist/lint/index.js", conditions: ["node"], maximumGzipBytes: 20 * KIB },
];

interface Budget {
  readonly entry: string;
  /** Export conditions of the bundler, in the runtime that the entry is for. */
  readonly conditions: readonly string[];
  readonly maximumGzipBytes: number;
}

async function gzipBytes({ entry, conditions }: Budget): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    conditions: [...conditions],
    external: ["hono", "hono/*", "cloudflare:*", "node:*"],
    write: false,
    logLevel: "error",
  });
  return outputFiles.reduce((bytes, file) => bytes + gzipSync(file.contents).byteLength, 0);
}

const inKib = (bytes: number): string => `${(bytes / KIB).toFixed(1)} KiB`;

async function checkSizes(): Promise<boolean> {
  let within = true;
  for (const budget of BUDGETS) {
    const bytes = await gzipBytes(budget);
    const { entry, maximumGzipBytes } = budget;
    console.log(`${entry}: ${inKib(bytes)} of ${inKib(maximumGzipBytes)} (gzip)`);
    if (bytes <= maximumGzipBytes) continue;
    within = false;
    console.error(`Cannot ship ${entry} as it may have at most ${maximumGzipBytes} bytes: current value is ${bytes}.`);
  }
  return within;
}

if (!(await checkSizes())) process.exitCode = 1;
