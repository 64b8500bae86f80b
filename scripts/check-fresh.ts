import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
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

function run(folder: string, [program, ...args]: readonly [string, ...string[]]): void {
  const startedAt = Date.now();
  console.log(`\n$ ${[program, ...args].join(" ")}`);
  execFileSync(program, args, { cwd: folder, stdio: "inherit", env: surroundings() });
  console.log(`(${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`);
}

/** The one file that npm would publish. */
function pack(folder: string): string {
  run(ROOT, ["npm", "pack", "--silent", "--pack-destination", folder]);
  // The cast: every package has a version.
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  return join(folder, `stepwell-${version}.tgz`);
}

/** As the README of a template says, but with the package that has just been packed. */
function unpack(tarball: string, template: string): string {
  const folder = join(dirname(tarball), template);
  mkdirSync(folder);
  run(folder, ["tar", "-xzf", tarball, "--strip-components=3", `package/templates/${template}`]);
  const file = join(folder, "package.json");
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/"stepwell": "[^"]*"/, `"stepwell": "file:${tarball}"`);
  if (changed === text) throw new Error(`Cannot install ${template} as its package.json must depend on stepwell.`);
  writeFileSync(file, changed);
  return folder;
}

function check(folder: string): void {
  run(folder, ["npm", "run", "typecheck"]);
  run(folder, ["npm", "test"]);
  run(folder, ["npm", "run", "deploy", "--", "--dry-run", "--outdir", "out"]);
  if (!existsSync(join(folder, "out/index.js"))) {
    throw new Error(`Cannot deploy ${folder} as wrangler must write out/index.js: it is not there.`);
  }
}

const temporary = mkdtempSync(join(tmpdir(), "stepwell-fresh-"));
try {
  const tarball = pack(temporary);
  const [first, ...others] = TEMPLATES.map((template) => unpack(tarball, template));
  if (first === undefined) throw new Error("Cannot check the templates as there must be one: there is none.");
  run(first, ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"]);
  // They depend on the same packages (a test sees to that), of which one installation is enough.
  for (const other of others) symlinkSync(join(first, "node_modules"), join(other, "node_modules"));
  run(first, ["npx", "--no-install", "stepwell", "--help"]);
  for (const folder of [first, ...others]) check(folder);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
