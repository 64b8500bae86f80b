import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
const page = readFileSync(path("docs/testing.md"), "utf8");
const shown = new Map(
  [...page.matchAll(/```ts file=(\S+)\n(.*?)```/gs)].map(([, file = "", code = ""]) => [file, code]),
);

describe("the page about testing", () => {
  const files = readdirSync(path("examples/testing"));

  it("shows every file of its examples", () => {
    expect([...shown.keys()].toSorted()).toEqual(files.toSorted());
  });

  it.each(files)("shows %s as it is run", (file) => {
    expect(shown.get(file)).toBe(readFileSync(path(`examples/testing/${file}`), "utf8"));
  });
});
