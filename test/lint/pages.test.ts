import { readdirSync, readFileSync } from "node:fs";
import type { Rule } from "eslint";
import { describe, expect, it } from "vitest";
import { configs, rules } from "../../src/lint/index.ts";
import { lintText } from "./lint-text.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGES = new URL("docs/lint/", ROOT);
const RULES = Object.keys(rules);

function metaOf(rule: string): Rule.RuleMetaData {
  const { meta } = rules[rule as keyof typeof rules];
  if (meta === undefined) throw new TypeError(`Cannot test ${rule} as it has no meta data.`);
  return meta;
}

const read = (file: string, base = ROOT) => readFileSync(new URL(file, base), "utf8");

/** The code of a section of a page, or of the whole text. */
function blocksOf(text: string, section?: string): readonly string[] {
  const part = section === undefined ? text : (text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "");
  return [...part.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}

/** The lines that the page says are wrong. */
function markedLines(code: string): readonly number[] {
  return code.split("\n").flatMap((line, index) => (line.endsWith("// ✗") ? [index + 1] : []));
}

const linesOf = (found: readonly { readonly line: number }[]) => [...new Set(found.map(({ line }) => line))];

describe.each(RULES)("the page of %s", (rule) => {
  const page = read(`${rule}.md`, PAGES);

  it("is where the rule says", () => {
    expect(metaOf(rule).docs?.url).toBe(`https://unpkg.com/stepwell/docs/lint/${rule}.md`);
    expect(page.startsWith(`# ${rule}\n`)).toBe(true);
  });

  it("shows wrong code that the rule reports line by line", () => {
    const blocks = blocksOf(page, "Wrong");
    expect(blocks).not.toEqual([]);
    for (const code of blocks) {
      const found = lintText(code).filter((each) => each.rule === rule);
      expect(linesOf(found)).toEqual(markedLines(code));
      expect(found).not.toEqual([]);
    }
  });

  it("shows right code in which no rule finds anything", () => {
    const blocks = blocksOf(page, "Right");
    expect(blocks).not.toEqual([]);
    for (const code of blocks) expect(lintText(code)).toEqual([]);
  });

  it("shows what its options do", () => {
    const { schema } = metaOf(rule);
    const hasOptions = Array.isArray(schema) && schema.length > 0;
    const blocks = blocksOf(page, "Options");
    expect(blocks.length > 0).toBe(hasOptions);
    for (const code of blocks) {
      const option = JSON.parse(/^\/\/ with (.*)\n/.exec(code)?.[1] ?? "") as unknown;
      const found = lintText(code, { rule, option }).filter((each) => each.rule === rule);
      expect(linesOf(found)).toEqual(markedLines(code));
      // Without the option it is another story, or the page shows nothing.
      expect(linesOf(lintText(code).filter((each) => each.rule === rule))).not.toEqual(markedLines(code));
    }
  });

  it("says whether the rule suggests something", () => {
    expect(page.includes("\n## Suggestions\n")).toBe(metaOf(rule).hasSuggestions);
  });
});

it("the overview lists every rule with its severity", () => {
  const overview = read("docs/lint.md");
  const severities = configs.recommended.rules;
  for (const rule of RULES) {
    const severity = severities[`stepwell/${rule}` as keyof typeof severities];
    const word = severity === "warn" ? "warning" : severity;
    expect(overview).toMatch(new RegExp(`^\\| \\[\`${rule}\`\\]\\(lint/${rule}\\.md\\) \\|.*\\| ${word} \\|$`, "m"));
  }
  expect(readdirSync(PAGES).toSorted()).toEqual(RULES.map((rule) => `${rule}.md`).toSorted());
});

it("no rule finds anything in the code of the README", () => {
  const blocks = blocksOf(read("README.md")).filter((code) => code.includes("defineWorkflow("));
  expect(blocks).not.toEqual([]);
  for (const code of blocks) expect(lintText(code)).toEqual([]);
});
