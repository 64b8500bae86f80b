import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pictures } from "../../scripts/pictures/all.ts";
import { PAGES, ROOT } from "./pages.ts";

const FOLDER = join(ROOT, "docs/pictures");

const drawn = await pictures();

describe("the pictures of the pages", () => {
  it.each([...drawn])("%s is what a run of the engine looks like today", (name, picture) => {
    expect(readFileSync(join(FOLDER, name), "utf8")).toBe(picture);
  });

  it("are drawn by a script, and shown by a page, each of them", () => {
    const files = readdirSync(FOLDER).toSorted();
    expect(files).toEqual([...drawn.keys()].toSorted());
    const shown = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/\]\(pictures\/([\w.-]+)\)/g)].map(([, name = ""]) => name),
    );
    expect(shown.toSorted()).toEqual(files);
  });
});
