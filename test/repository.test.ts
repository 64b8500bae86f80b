import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MAXIMUM_LINES = 300;

/** What tools install or write: not part of the repository. */
const NOT_OURS = new Set([
  ".git",
  "node_modules",
  "dist",
  "coverage",
  ".wrangler",
  ".demo",
  "site",
  ".screenshots",
  ".well-known",
  ".swc",
]);

/** Documents that readers and tools look for under these very names. */
const KNOWN_NAMES = new Set([
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "BENCHMARKS.md",
  "SECURITY.md",
]);

// Written so that no pattern matches this file.
const MACHINE_PATH = /(^|[^A-Za-z0-9._-])\/(?:work|root)\//;
const DIRECTIVE = /(?:es|ox)lint-disable|@ts-(?:ignore|nocheck)/;
const EXPECTED_ERROR = /@ts-expect-error/;
const LEFT_OUT = /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b/;
const KEBAB_CASE = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const NAMED_ZOD = /import\s*\{[^}]*\bz\b[^}]*\}\s*from\s*"zod"/;

const files = readdirSync(ROOT, { withFileTypes: true })
  .filter(({ name }) => !NOT_OURS.has(name))
  .flatMap((top) =>
    top.isDirectory()
      ? readdirSync(`${ROOT}${top.name}`, { recursive: true, withFileTypes: true })
          .filter((file) => file.isFile())
          .map(({ parentPath, name }) => `${parentPath.slice(ROOT.length)}/${name}`)
      : [top.name],
  )
  .filter((file) => !file.split("/").some((part) => NOT_OURS.has(part)));

const sources = files.filter((file) => file.endsWith(".ts"));
const tests = sources.filter((file) => file.startsWith("test/"));

const textOf = (file: string) => readFileSync(ROOT + file, "utf8");
const holding = (pattern: RegExp, among: readonly string[]) => among.filter((file) => pattern.test(textOf(file)));

function lineCount(file: string): number {
  return textOf(file).trimEnd().split("\n").length;
}

describe("the repository", () => {
  it("is read as a whole", () => {
    expect(files).toEqual(expect.arrayContaining(["package.json", "src/limits.ts", "test/repository.test.ts"]));
  });

  it(`has no source file over ${MAXIMUM_LINES} lines`, () => {
    expect(sources.filter((file) => lineCount(file) > MAXIMUM_LINES)).toEqual([]);
  });

  it("names files and folders in kebab-case", () => {
    const named = files.filter((file) => file !== "LICENSE").map((file) => file.split("/"));
    const isNamed = (part: string) => KEBAB_CASE.test(part) || KNOWN_NAMES.has(part);
    expect(named.filter((parts) => !parts.every(isNamed))).toEqual([]);
    expect(["fooBar.ts", "Foo.ts", "foo_bar.ts"].filter((name) => KEBAB_CASE.test(name))).toEqual([]);
  });

  it("mentions no path of the machine it was written on", () => {
    expect(holding(MACHINE_PATH, files)).toEqual([]);
    expect(`see ${["", "work", "main"].join("/")}`).toMatch(MACHINE_PATH);
  });

  it("locks dependencies without the address of a registry", () => {
    // The folder of a workspace is the one thing that may be said where it is.
    const locks = files.filter((file) => file.endsWith("package-lock.json"));
    expect(locks).toContain("package-lock.json");
    expect(holding(/"resolved": "(?!test\/)|localhost|127\.0\.0\.1/, locks)).toEqual([]);
    expect(textOf(".npmrc")).not.toMatch(/registry\s*=|_auth/);
  });

  it("silences neither the compiler nor the linter", () => {
    expect(holding(DIRECTIVE, sources)).toEqual([]);
    // A test may say that a call does not compile.
    expect(
      holding(
        EXPECTED_ERROR,
        sources.filter((file) => !tests.includes(file)),
      ),
    ).toEqual([]);
    expect(["es", "ox"].every((tool) => DIRECTIVE.test(`${tool}lint-disable`))).toBe(true);
  });

  it("leaves no test out", () => {
    expect(holding(LEFT_OUT, tests)).toEqual([]);
    expect(
      [
        ["it", "only"],
        ["describe", "concurrent", "skip"],
        ["test", "todo"],
      ].every((call) => LEFT_OUT.test(call.join("."))),
    ).toBe(true);
  });

  it("imports zod in the two forms that a bundler can shrink", () => {
    expect(holding(NAMED_ZOD, sources)).toEqual([]);
    expect(`import { z } from ${JSON.stringify("zod")}`).toMatch(NAMED_ZOD);
  });
});
