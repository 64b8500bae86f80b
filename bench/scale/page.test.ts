import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScaleFigures } from "./figures.ts";
import { tablesOf } from "./tables.ts";

describe("docs/scale.md", () => {
  it("has the tables of the run that is kept", () => {
    // The cast: `npm run scale` of this repository wrote it.
    const figures = JSON.parse(readFileSync(join(import.meta.dirname, "figures.json"), "utf8")) as ScaleFigures;
    const lines = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8").split("\n");
    const tables = tablesOf(figures);
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((line) => !lines.includes(line))).toEqual([]);
  });
});
