import { describe, expect, it } from "vitest";
import { contents } from "../../scripts/site/contents.ts";
import { PAGES } from "./pages.ts";

const INDEX = "docs/index.md";
const pages = PAGES.map(({ path }) => path).filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== INDEX);

describe("the pages", () => {
  it("are all in the list beside each page of the site", () => {
    const listed = contents().flatMap(({ pages: linked }) =>
      linked.map(({ url }) => `docs${url.replace(/html$/, "md")}`),
    );
    expect(pages.filter((path) => !listed.includes(path))).toEqual([]);
    expect(listed).toHaveLength(new Set(listed).size);
  });

  it.each([INDEX, "README.md"])("are all linked from %s", (from) => {
    const text = PAGES.find(({ path }) => path === from)?.text ?? "";
    const links = [...text.matchAll(/\]\((?:docs\/)?([a-z-]+)\.md\)/g)].map(([, name]) => `docs/${name}.md`);
    expect(pages.filter((path) => !links.includes(path))).toEqual([]);
  });
});
