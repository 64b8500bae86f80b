import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { NamedTest } from "./named-tests.ts";

export type Result = "passed" | "failed" | "not run";

/** What is read of a report of vitest (`--reporter=json`). */
const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ title: z.string(), ancestorTitles: z.array(z.string()), status: z.string() }),
      ),
    }),
  ),
});

interface Assertion {
  readonly file: string;
  readonly title: string;
  readonly ancestorTitles: readonly string[];
  readonly status: string;
}

export function readAssertions(root: string, reports: readonly string[]): Assertion[] {
  return reports.flatMap((path) =>
    report.parse(JSON.parse(readFileSync(path, "utf8"))).testResults.flatMap(({ name, assertionResults }) => {
      // A report may come from another checkout of the repository: the path inside it is what counts.
      const file = name.startsWith(root) ? name.slice(root.length) : (/(?:test|examples)\/.*$/.exec(name)?.[0] ?? name);
      return assertionResults.map((assertion) => ({ file, ...assertion }));
    }),
  );
}

/** Over all rows and all runtimes a test has failed where one of them has. */
export function resultOf(test: NamedTest, assertions: readonly Assertion[]): Result {
  const pattern = patternOf(test.title);
  const suites = test.suites.map(patternOf);
  // A suite that is called from elsewhere runs in its callers' files: its name alone says which test it is.
  const ownFile = test.file.endsWith(".test.ts");
  const statuses = assertions
    .filter(({ file }) => !ownFile || file === test.file)
    .filter(({ title }) => pattern.test(title))
    .filter(({ ancestorTitles }) => suites.every((suite) => ancestorTitles.some((title) => suite.test(title))))
    .map(({ status }) => status);
  if (statuses.includes("failed")) return "failed";
  return statuses.includes("passed") ? "passed" : "not run";
}

/** What a name in the source can be at run time: `…`, `%s`, `$name` and `$name.field` are anything. */
function patternOf(title: string): RegExp {
  const parts = title.split(/…|%[sdifjoOc#$]|\$[\w.]+/u);
  return new RegExp(
    `^${parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)).join("[^]*")}$`,
    "u",
  );
}
