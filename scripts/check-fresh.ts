import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Does what users do: packs the package, takes each template out of it into a folder of its own, installs, compiles,
 * tests, and deploys as far as that goes without an account.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TEMPLATES = ["worker", "hono"] as const;

/** The tools of this repository must not stand in for those that a template lacks. */
function surroundings(): NodeJS.ProcessEnv {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const own = Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|config_local)/.test(name));
  return {
    ...Object.fromEntries(own),
    // Wrangler needs the Node that runs this, which may not be the one that is installed.
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    CI: "true",
    NO_COLOR: "1",
    WRANGLER_SEND_METRICS: "false",
  };
}

/** Prints what a program has to say when it has ended, as several run at a time. Ends with it where it fails. */
async function run(folder: string, [program, ...args]: readonly [string, ...string[]]): Promise<void> {
  const startedAt = Date.now();
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: surroundings() });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (ended) => resolve({ code: ended, output: Buffer.concat(chunks).toString() }));
  });
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  console.log(`\n$ ${[program, ...args].join(" ")}   (${basename(folder)}, ${seconds} s)\n${output}`);
  if (code !== 0)
    throw new Error(`Cannot go on as ${program} ${args[0]} must succeed in ${folder}: it ended with ${code}.`);
}

/** The one file that npm would publish. */
async function pack(folder: string): Promise<string> {
  if (!existsSync(join(ROOT, "dist"))) throw new Error("Cannot pack as dist must be built: it is not there.");
  // Packed as it was built: the build is a stage of its own.
  await run(ROOT, ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  // The cast: every package has a version.
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  return join(folder, `stepwell-${version}.tgz`);
}

/** As the README of a template says, but with the package that has just been packed. */
async function unpack(tarball: string, template: string): Promise<string> {
  const folder = join(dirname(tarball), template);
  mkdirSync(folder);
  await run(folder, ["tar", "-xzf", tarball, "--strip-components=3", `package/templates/${template}`]);
  const file = join(folder, "package.json");
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/"stepwell": "[^"]*"/, `"stepwell": "file:${tarball}"`);
  if (changed === text) throw new Error(`Cannot install ${template} as its package.json must depend on stepwell.`);
  writeFileSync(file, changed);
  return folder;
}

async function check(folder: string): Promise<void> {
  await run(folder, ["npm", "run", "typecheck"]);
  await run(folder, ["npm", "test"]);
  await run(folder, ["npm", "run", "deploy", "--", "--dry-run", "--outdir", "out"]);
  if (!existsSync(join(folder, "out/index.js"))) {
    throw new Error(`Cannot deploy ${folder} as wrangler must write out/index.js: it is not there.`);
  }
}

const temporary = mkdtempSync(join(tmpdir(), "stepwell-fresh-"));
try {
  const tarball = await pack(temporary);
  const [first, ...others] = await Promise.all(TEMPLATES.map((template) => unpack(tarball, template)));
  if (first === undefined) throw new Error("Cannot check the templates as there must be one: there is none.");
  await run(first, ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"]);
  // They depend on the same packages (a test sees to that), of which one installation is enough.
  for (const other of others) symlinkSync(join(first, "node_modules"), join(other, "node_modules"));
  await run(first, ["npx", "--no-install", "stepwell", "--help"]);
  const results = await Promise.allSettled([first, ...others].map((folder) => check(folder)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
