import type { NamedTest } from "./named-tests.ts";
import type { Group, Requirement, Requirements } from "./requirements.ts";
import type { Result } from "./results.ts";

export interface ShownTest extends NamedTest {
  readonly result: Result;
}

/** The page as it is written to `docs/conformance.md`. */
export function renderPage({ behaviours, cases }: Requirements, tests: readonly ShownTest[]): string {
  const testsById = new Map<string, ShownTest[]>();
  for (const test of tests) for (const id of test.ids) testsById.set(id, [...(testsById.get(id) ?? []), test]);
  return [
    "# Conformance",
    "",
    "What Stepwell answers for, and the tests that show it. `npm run conformance` writes this page from the names of the tests and from reports of runs; its text comes from `conformance.json` beside it.",
    "",
    "- **S1 to S77** are behaviours that the project was asked for.",
    "- **Cases** are faults that other engines of this kind have had. *must*: any right engine does so. *seed*: this project was asked for it. *choice*: engines differ, and this is what we have decided.",
    "",
    "A test has passed if it did so wherever it ran: what is in `test/behaviours` runs in Node and inside workerd. `…`, `%s` and `$name` in a name are filled in by the rows of a test.",
    "",
    ...summary({ behaviours, cases }, testsById),
    "",
    "# Behaviours",
    "",
    ...behaviours.flatMap((group) => section(group, testsById)),
    "# Cases",
    "",
    ...cases.flatMap((group) => section(group, testsById)),
  ].join("\n");
}

function summary({ behaviours, cases }: Requirements, testsById: ReadonlyMap<string, readonly ShownTest[]>): string[] {
  const row = (what: string, groups: readonly Group[], kinds?: readonly string[]): string => {
    const all = groups
      .flatMap((group): readonly Requirement[] => group.requirements)
      .filter((requirement) => kinds === undefined || ("kind" in requirement && kinds.includes(requirement.kind)));
    const shown = all.filter(({ id }) => testsById.has(id));
    const passed = shown.filter(({ id }) => testsById.get(id)?.every(({ result }) => result === "passed"));
    const without = all.filter(({ id }) => !testsById.has(id)).map(({ id }) => id);
    const failed = all
      .filter(({ id }) => testsById.get(id)?.some(({ result }) => result === "failed"))
      .map(({ id }) => id);
    return `| ${what} | ${all.length} | ${shown.length} | ${passed.length} | ${without.join(", ") || "none"} | ${failed.join(", ") || "none"} |`;
  };
  return [
    "| | in all | with a test | passed | without | failed |",
    "| --- | --- | --- | --- | --- | --- |",
    row("behaviours", behaviours),
    row("cases: must and seed", cases, ["must", "seed"]),
    row("cases: choice", cases, ["choice"]),
  ];
}

function section({ title, requirements }: Group, testsById: ReadonlyMap<string, readonly ShownTest[]>): string[] {
  return [
    `## ${title}`,
    "",
    ...requirements.flatMap((requirement: Requirement) => {
      const { id, says } = requirement;
      const kind = "kind" in requirement ? ` (*${requirement.kind}*)` : "";
      const lines = (testsById.get(id) ?? []).map(lineOf);
      const none = "without" in requirement ? `- no test: ${requirement.without}` : "- no test";
      return [`**${id}**${kind} ${says}.`, "", ...(lines.length > 0 ? lines : [none]), ""];
    }),
  ];
}

function lineOf({ file, suites, title, result }: ShownTest): string {
  return `- ${result}: \`${file}\` ${[...suites, title].map(escapeMarkdown).join(" › ")}`;
}

const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_<>[\]|]/gu, String.raw`\$&`).replaceAll("\n", String.raw`\\n`);

/** The results that a page shows, so that it can be written again without a run. */
export function resultsOnPage(page: string): (test: NamedTest) => Result {
  const lines = new Set(page.split("\n"));
  const results: readonly Result[] = ["passed", "failed"];
  return (test) => results.find((result) => lines.has(lineOf({ ...test, result }))) ?? "not run";
}
