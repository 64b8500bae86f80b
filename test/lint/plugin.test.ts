import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Linter } from "eslint";
import { Linter as Linter9 } from "eslint-9";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import plugin, { configs, rules } from "../../src/lint/index.ts";
import { lintText } from "./lint-text.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Plain JavaScript with one finding for each rule, and the line of each. */
const WRONG = `import { defineWorkflow } from "stepwell";
import { load } from "./shop.js";

export const order = defineWorkflow({ name: "order" }, async ({ input, step, sleep }) => {
  await step.run("Charge", () => 1);
  await step.run("ship", () => 1);
  await step.run("ship", () => 2);
  await step.run("outer", () => step.run("inner", () => 1));
  sleep("1h");
  const at = Date.now();
  const stock = await load(input.sku);
  try {
    await sleep("1s");
  } catch {}
  return { at, stock };
});
`;

/** Functions that only the types of their parameters show as workflow code. */
const TYPED = `import type { ContextOf, Step, WorkflowContext } from "stepwell";
type Context = ContextOf<typeof order>;
interface Shop { readonly step: Step }
export const a = async (context: Context) => { await context.step.run("Ship", () => 1); };
export const b = async ({ step }: Shop) => { await step.run("Ship", () => 1); };
export const c = async ({ step }: Pick<WorkflowContext, "step">) => { await step.run("Ship", () => 1); };
`;

const FINDINGS = [
  { rule: "step-name", line: 5 },
  { rule: "unique-step-name", line: 7 },
  { rule: "no-nested-step", line: 8 },
  { rule: "no-floating-operation", line: 9 },
  { rule: "no-nondeterminism", line: 10 },
  { rule: "no-foreign-promise", line: 11 },
  { rule: "no-swallowed-cancel", line: 14 },
];

function foundIn(messages: readonly { readonly ruleId: string | null; readonly line: number }[]) {
  return messages.map(({ ruleId, line }) => ({ rule: ruleId?.replace("stepwell/", ""), line }));
}

describe("the plugin", () => {
  it("has a rule for each finding, and recommends them all", () => {
    expect(FINDINGS.map(({ rule }) => rule)).toEqual(Object.keys(rules));
    expect(Object.keys(configs.recommended.rules)).toEqual(Object.keys(rules).map((rule) => `stepwell/${rule}`));
    expect(configs.recommended.plugins.stepwell).toBe(plugin);
    expect(plugin.meta).toEqual({ name: "stepwell", namespace: "stepwell" });
  });

  it.each([".oxlintrc.examples.json", "docs/lint.md"])("is recommended for oxlint alike in %s", (file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const json = /^```json\n(.*?)^```$/ms.exec(text)?.[1] ?? text;
    // The cast: a configuration of oxlint is compared, not used.
    expect((JSON.parse(json) as { readonly rules: unknown }).rules).toEqual(configs.recommended.rules);
  });

  it("warns of swallowed cancellations, and takes all else for errors", () => {
    const { "stepwell/no-swallowed-cancel": cancel, ...others } = configs.recommended.rules;
    expect(cancel).toBe("warn");
    expect(new Set(Object.values(others))).toEqual(new Set(["error"]));
  });

  it("runs in ESLint 10 with its own parser", () => {
    expect(Linter.version).toMatch(/^10\./);
    expect(foundIn(new Linter().verify(WRONG, [configs.recommended], "order.js"))).toEqual(FINDINGS);
  });

  it("runs in ESLint 9 with its own parser", () => {
    expect(Linter9.version).toMatch(/^9\./);
    // The cast: the plugin's types are here those of the other ESLint.
    const config = [configs.recommended as unknown as Linter9.Config];
    expect(foundIn(new Linter9().verify(WRONG, config, "order.js"))).toEqual(FINDINGS);
  });

  it("finds the same by the parser of typescript-eslint", () => {
    expect(lintText(WRONG)).toEqual(FINDINGS);
  });

  it("looks at a file of no interest without a finding", () => {
    expect(lintText("export const token = () => Math.random() + Date.now();")).toEqual([]);
  });

  it("finds nothing in the examples", () => {
    const files = globSync("examples/**/*.ts", { cwd: ROOT });
    expect(files).toEqual(expect.arrayContaining([join("examples", "order.ts")]));
    for (const file of files)
      expect({ file, found: lintText(readFileSync(join(ROOT, file), "utf8")) }).toEqual({ file, found: [] });
  });

  it("finds nothing in the programs of the type tests but what they do wrong on purpose", () => {
    const found = globSync("test/types/*.ts", { cwd: ROOT }).flatMap((file) =>
      lintText(readFileSync(join(ROOT, file), "utf8")).map(({ rule }) => `${file.replaceAll("\\", "/")} ${rule}`),
    );
    // Two calls that the compiler refuses have the name of a step in common.
    expect(found).toEqual(["test/types/saga.ts unique-step-name"]);
  });
});

describe("the plugin in oxlint", () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "stepwell-lint-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the binary, as an author does. */
  function oxlint(config: object): Promise<{ readonly code: number; readonly output: string }> {
    writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify(config));
    const binary = join(createRequire(import.meta.url).resolve("oxlint/package.json"), "../bin/oxlint");
    const args = [binary, "--config", join(folder, ".oxlintrc.json"), "--format", "json", folder];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, (error, output) => {
        if (error !== null && typeof error.code !== "number") reject(error);
        else resolve({ code: Number(error?.code ?? 0), output });
      });
    });
  }

  it("finds the same as in ESLint, in each of several files", async () => {
    writeFileSync(join(folder, "order.js"), WRONG);
    writeFileSync(join(folder, "again.ts"), WRONG);
    writeFileSync(join(folder, "typed.ts"), TYPED);
    writeFileSync(
      join(folder, "right.ts"),
      `defineWorkflow({ name: "a" }, async ({ step }) => { await step.run("a", () => 1); });`,
    );
    const { code, output } = await oxlint({
      plugins: [],
      categories: { correctness: "off" },
      jsPlugins: [join(ROOT, "src/lint/index.ts")],
      rules: configs.recommended.rules,
    });
    // The cast: the form of the report is oxlint's.
    const { diagnostics } = JSON.parse(output) as {
      readonly diagnostics: readonly {
        readonly code: string;
        readonly filename: string;
        readonly severity: string;
        readonly labels: readonly { readonly span: { readonly line: number } }[];
      }[];
    };
    const found = diagnostics
      .map(({ code: rule, filename, labels, severity }) => ({
        file: filename.replace(/^.*[\\/]/, ""),
        rule: rule.replace(/^stepwell\((.*)\)$/, "$1"),
        line: labels[0]?.span.line ?? 0,
        severity,
      }))
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
    const expected = ["again.ts", "order.js"].flatMap((file) =>
      FINDINGS.map((finding) => ({
        file,
        ...finding,
        severity: finding.rule === "no-swallowed-cancel" ? "warning" : "error",
      })),
    );
    const typed = [4, 5, 6].map((line) => ({ file: "typed.ts", rule: "step-name", line, severity: "error" }));
    expect(found).toEqual([...expected, ...typed]);
    expect(code).toBe(1);
  });
});
