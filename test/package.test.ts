import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dependOn, nameRelease, withoutWorkspaces } from "../scripts/release-texts.ts";
import { inKib, SIZE_BUDGETS } from "../scripts/size-budgets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const textOf = (file: string) => readFileSync(ROOT + file, "utf8");

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

// The cast: npm refuses to install what has another form.
const manifestOf = (folder: string) => JSON.parse(textOf(`${folder}package.json`)) as Manifest;

const own = manifestOf("");
const templates = readdirSync(`${ROOT}templates`).map((name) => ({ ...manifestOf(`templates/${name}/`), name }));

/** The version that this repository is tested with, without what npm may do with it. */
function testedVersion(name: string): string | undefined {
  if (name === "stepwell") return own.version;
  const alias = Object.values(own.devDependencies).find((value) => value.startsWith(`npm:${name}@`));
  return alias?.slice(`npm:${name}@`.length) ?? (own.dependencies[name] ?? own.devDependencies[name])?.replace("^", "");
}

describe("the package", () => {
  it("holds the templates, and is published with its provenance", () => {
    expect(own.private).toBeUndefined();
    expect(own.files).toContain("templates");
    expect(own.publishConfig).toEqual({ access: "public", provenance: true });
  });

  it("has the size budgets that README shows", () => {
    const rows = SIZE_BUDGETS.map(
      ({ name, maximumGzipBytes: { start, whole } }) => `| ${name} | ${inKib(start)} | ${inKib(whole)} |`,
    );
    const readme = textOf("README.md");
    const shown = readme.slice(readme.indexOf("## What it weighs")).split("\n## ")[0] ?? "";
    expect(shown.split("\n").filter((line) => line.startsWith("| `"))).toEqual(rows);
  });

  it("has a budget for each entry", () => {
    const entries = Object.keys(own.exports ?? {}).filter((entry) => entry !== "./package.json");
    const budgeted = SIZE_BUDGETS.map(({ name }) => (/^`([^`]*)`/.exec(name)?.[1] ?? "").replace("stepwell", "."));
    expect([...new Set(budgeted)].toSorted()).toEqual(entries.toSorted());
  });
});

describe("the templates", () => {
  it("are a plain Worker and a Hono app", () => {
    expect(templates.map(({ name }) => name).toSorted()).toEqual(["hono", "worker"]);
  });

  it.each(templates)("$name installs the versions that this repository is tested with", (template) => {
    const asked = Object.entries({ ...template.dependencies, ...template.devDependencies });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(([name, version]) => [name, version.replace("^", "")])).toEqual(
      asked.map(([name]) => [name, testedVersion(name)]),
    );
  });

  it("depend on the same packages, as they are tested with one installation", () => {
    const [first, ...others] = templates.map(({ dependencies, devDependencies }) => ({
      dependencies,
      devDependencies,
    }));
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("a release", () => {
  const changelog = "# Changelog\n\nIntro.\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- Old.\n";

  it("takes over what was not released", () => {
    expect(nameRelease(changelog, "0.2.0", "2026-12-01")).toBe(
      "# Changelog\n\nIntro.\n\n## Unreleased\n\n## 0.2.0\n\nReleased on 2026-12-01.\n\n- New.\n\n## 0.1.0\n\n- Old.\n",
    );
  });

  it("is named in the changelog of this repository, too", () => {
    expect(nameRelease(textOf("CHANGELOG.md"), "7.7.7", "2026-12-01")).toContain("\n## 7.7.7\n");
  });

  it("is refused where nothing says what changes", () => {
    const named = nameRelease(changelog, "0.2.0", "2026-12-01");
    expect(() => nameRelease(named, "0.3.0", "2026-12-02")).toThrow("there is nothing below it");
    expect(() => nameRelease("# Changelog\n", "0.3.0", "2026-12-02")).toThrow('must have one heading "## Unreleased"');
  });

  it("is what its templates install", () => {
    expect(dependOn('{ "hono": "4.1.0", "stepwell": "^0.0.0" }', "0.1.0")).toBe(
      '{ "hono": "4.1.0", "stepwell": "^0.1.0" }',
    );
  });

  it("leaves the workspaces as they were", () => {
    const [alone, giveBack] = withoutWorkspaces(textOf("package.json"));
    expect(JSON.parse(alone)).not.toHaveProperty("workspaces");
    expect(giveBack(alone)).toBe(textOf("package.json"));
    const raised = (text: string) => text.replace(`"version": "${own.version}"`, '"version": "7.7.7"');
    expect(giveBack(raised(alone))).toBe(raised(textOf("package.json")));
    expect(() => withoutWorkspaces(alone)).toThrow('they must follow "version"');
  });
});
