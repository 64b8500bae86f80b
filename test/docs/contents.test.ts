import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contents } from "../../scripts/site/contents.ts";
import { PAGES, ROOT } from "./pages.ts";

const INDEX = "docs/index.md";
const pages = PAGES.map(({ path }) => path).filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== INDEX);

const linksOf = (page: string) =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\((?:docs\/)?([a-z-]+)\.md\)/g)].map(
    ([, name]) => `docs/${name}.md`,
  );

describe("the pages", () => {
  it("are all in the list beside each page of the site", () => {
    const listed = contents().flatMap(({ pages: linked }) =>
      linked.map(({ url }) => `docs${url.replace(/html$/, "md")}`),
    );
    expect(pages.filter((path) => !listed.includes(path))).toEqual([]);
    expect(listed).toHaveLength(new Set(listed).size);
  });

  it.each([INDEX, "README.md"])("are all linked from %s", (page) => {
    const links = linksOf(page);
    expect(pages.filter((path) => !links.includes(path))).toEqual([]);
  });
});
