import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES, ROOT } from "./pages.ts";

const PARTS = ["src", "test", "scripts", "examples", "templates", "bench"];

const files = PARTS.flatMap((part) =>
  readdirSync(join(ROOT, part), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes("node_modules"))
    .map((path) => `${part}/${path}`),
);
const sources = files.filter((path) => path.startsWith("src/") && path.endsWith(".ts"));
const code = sources.map((path) => readFileSync(join(ROOT, path), "utf8"));
const textOf = (page: string) => PAGES.find(({ path }) => path === page)?.text ?? "";

const found = (pattern: RegExp) => [
  ...new Set(code.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name))),
];

/** The types that entries can have, of which the fold of the journal must have all. */
const types = found(/\bFact<"([a-z-]+)">/g);
const tables = found(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g);

describe("what the pages say of the tree", () => {
  it("is looked for", () => {
    expect(types.length).toBeGreaterThan(50);
    expect(tables).toEqual(expect.arrayContaining(["executions", "schedules", "staged_journal"]));
  });

  it.each(PAGES)("names only files that there are: $path", ({ text }) => {
    const named = [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.tsx?)`/g)].map(([, name = ""]) => name);
    const isThere = (name: string) =>
      files.some((path) => path === name || path.endsWith(`/${name}`)) || SHOWN_ONLY.has(basename(name));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("has every folder of src: %s", (page) => {
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.filter(({ name }) => !textOf(page).includes(`src/${name}`)).map(({ name }) => name)).toEqual([]);
  });

  it("has every other folder: CONTRIBUTING.md", () => {
    expect(PARTS.filter((part) => !new RegExp(`^${part}\\b`, "m").test(textOf("CONTRIBUTING.md")))).toEqual([]);
  });

  it("shows a row of every type of entry, as it stands in storage", () => {
    const rows = textOf("ARCHITECTURE.md");
    expect(types.filter((type) => !rows.includes(`{"type":"${type}"`))).toEqual([]);
  });

  it("lists every type of entry and every table on the page about storage", () => {
    const page = textOf("docs/storage.md");
    const names = [...types, ...tables, "journal", "blobs"];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Files of whoever reads the page, and what each build makes. */
const SHOWN_ONLY = new Set(["name.ts", "try.ts", "explorer-script.ts"]);
