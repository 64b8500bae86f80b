import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readNamedTests, type NamedTest } from "./conformance/named-tests.ts";
import { renderPage, resultsOnPage } from "./conformance/page.ts";
import { allRequirements, readRequirements } from "./conformance/requirements.ts";
import { readAssertions, resultOf, type Result } from "./conformance/results.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = `${ROOT}docs/conformance.md`;

/**
 * `npm run conformance -- [report.json …]` writes the page. Without reports of vitest the results that it shows stay.
 * With `--check` it is compared instead: it must have the tests that there are, and the reports must have all of them
 * as passed.
 */
function main(): string[] {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: "boolean" } } });
  const requirements = readRequirements(ROOT);
  const tests = readNamedTests(ROOT);
  const known = new Set(allRequirements(requirements).map(({ id }) => id));
  const unknown = tests.filter(({ ids }) => !ids.every((id) => known.has(id)));
  const written = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  const shownResult = resultsOnPage(written);
  const complaints = unknown.map(
    ({ file, title }) => `Cannot number "${title}" (${file}) as docs/conformance.json must have the number.`,
  );

  const assertions = readAssertions(ROOT, positionals);
  const newResult = (test: NamedTest): Result => {
    const result = resultOf(test, assertions);
    return result === "not run" ? shownResult(test) : result;
  };
  if (values.check !== true) {
    writeFileSync(
      PAGE,
      renderPage(
        requirements,
        tests.map((test) => ({ ...test, result: newResult(test) })),
      ),
    );
    return complaints;
  }
  const shown = renderPage(
    requirements,
    tests.map((test) => ({ ...test, result: shownResult(test) })),
  );
  if (shown !== written)
    complaints.push(
      "Cannot take docs/conformance.md as it must name the tests that there are: run npm run conformance.",
    );
  if (positionals.length === 0) return complaints;
  for (const test of tests) {
    const result = resultOf(test, assertions);
    if (result !== "passed")
      complaints.push(`Cannot count ${test.ids.join(", ")} as shown: "${test.title}" (${test.file}) has ${result}.`);
  }
  return complaints;
}

for (const complaint of main()) {
  console.error(complaint);
  process.exitCode = 1;
}
