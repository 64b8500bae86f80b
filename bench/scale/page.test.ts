import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScaleFigures } from "./figures.ts";
import { withTables } from "./tables.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");

describe("docs/scale.md", () => {
  // The cast: `npm run scale` of this repository wrote it.
  const figures = JSON.parse(read("figures.json")) as ScaleFigures;

  it("has what the kept run has found", () => {
    const page = read("../../docs/scale.md");
    expect(withTables(page, figures)).toBe(page);
  });

  it("is not written where it has no place for a table", () => {
    expect(() => withTables("# Scale", figures)).toThrow(
      "Cannot write The ladder as the page must have one place for it: current value is # Scale",
    );
  });
});
