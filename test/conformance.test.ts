import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { idsIn, namedTestsIn, readNamedTests } from "../scripts/conformance/named-tests.ts";
import { renderPage, resultsOnPage } from "../scripts/conformance/page.ts";
import { allRequirements, readRequirements } from "../scripts/conformance/requirements.ts";
import { resultOf } from "../scripts/conformance/results.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

describe("the conformance page", () => {
  const page = readFileSync(`${ROOT}docs/conformance.md`, "utf8");
  const requirements = readRequirements(ROOT);
  const tests = readNamedTests(ROOT);

  it("names the tests that there are: npm run conformance writes it again", () => {
    const shownResult = resultsOnPage(page);
    expect(page).toBe(
      renderPage(
        requirements,
        tests.map((test) => ({ ...test, result: shownResult(test) })),
      ),
    );
  });

  it("knows each number that a test has, once", () => {
    const known = allRequirements(requirements).map(({ id }) => id);
    expect(new Set(known).size).toBe(known.length);
    expect(tests.flatMap(({ ids }) => ids).filter((id) => !known.includes(id))).toEqual([]);
  });

  it("has a test for each of the behaviours", () => {
    const shown = new Set(tests.flatMap(({ ids }) => ids));
    const behaviours = requirements.behaviours.flatMap((group) => group.requirements.map(({ id }) => id));
    expect(behaviours).toEqual(Array.from({ length: 77 }, (_, index) => `S${index + 1}`));
    expect(behaviours.filter((id) => !shown.has(id))).toEqual([]);
  });

  it("shows a result until another one is known", () => {
    const [test] = namedTestsIn("a.test.ts", 'it("S12 takes <this> | `that`", () => {});');
    if (test === undefined) throw new Error("The test was not found.");
    for (const result of ["passed", "failed", "not run"] as const) {
      expect(resultsOnPage(renderPage(requirements, [{ ...test, result }]))(test)).toBe(result);
    }
  });
});

describe("the numbers of a test", () => {
  it.each([
    ["S12 is spent", ["S12"]],
    ["S30, case 12: spends the step", ["S30", "case 12"]],
    ["case 141: case 156: a step", ["case 141", "case 156"]],
    ["S4, S5, S6 takes", ["S4", "S5", "S6"]],
    ["S64 a backoff", ["S64"]],
    ["is like S12", []],
    ["SQL 12 is no number", []],
  ])("%j has %j", (title, ids) => {
    expect(idsIn(title)).toEqual(ids);
  });

  it("stand in its name, in those of the suites around it, or in a table", () => {
    const source = `
      describe("S1 a suite", () => {
        it("works", () => {});
        describe("inside", () => { it.each([1])(\`case 7: \${what} of %s\`, (one: number) => {}); });
      });
      it("S2 stands alone", () => {});
      it("has none", () => {});
      const rows = { "case 8: a row": 1 };`;
    expect(namedTestsIn("a.ts", source).map(({ ids, title }) => [ids, title])).toEqual([
      [["S1"], "works"],
      [["S1", "case 7"], "case 7: … of %s"],
      [["S2"], "S2 stands alone"],
      [["case 8"], "case 8: a row…"],
    ]);
  });

  it("cannot be read in a file that is no TypeScript", () => {
    expect(() => namedTestsIn("a.ts", "it(")).toThrow("Cannot read the tests of a.ts");
  });
});

describe("the result of a test", () => {
  const assertion = (status: string, title = "S1 takes 5 of (x)") => ({
    file: "test/a.test.ts",
    title,
    ancestorTitles: ["in a suite"],
    status,
  });
  const test = { file: "test/behaviours/a.ts", ids: ["S1"], title: "S1 takes %i of (…)", suites: [] };

  it.each([
    [["passed"], "passed"],
    [["passed", "failed", "passed"], "failed"],
    [["skipped"], "not run"],
    [[], "not run"],
  ])("of rows that have %j is %s", (statuses, result) => {
    expect(
      resultOf(
        test,
        statuses.map((status) => assertion(status)),
      ),
    ).toBe(result);
  });

  it("is that of its own name, suite and file alone", () => {
    const passed = [assertion("passed")];
    expect(resultOf({ ...test, title: "S1 takes %i of x" }, passed)).toBe("not run");
    expect(resultOf({ ...test, suites: ["S1 another suite"] }, passed)).toBe("not run");
    expect(resultOf({ ...test, suites: ["in a %s"] }, passed)).toBe("passed");
    expect(resultOf({ ...test, file: "test/b.test.ts" }, passed)).toBe("not run");
    expect(resultOf({ ...test, file: "test/a.test.ts" }, passed)).toBe("passed");
  });
});
