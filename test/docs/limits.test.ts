import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { PAGES } from "./pages.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1_024,
  MiB: 1_024 ** 2,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const page = PAGES.find(({ path }) => path === "docs/limits.md")?.text ?? "";
const rows = [...page.matchAll(/^\| .* \| ([\d,]+) ?(\w*) \| `(\w+)` \|$/gm)];

describe("the page about limits", () => {
  it("has rows", () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows.map(([, amount = "", unit = "", name = ""]) => [name, amount, unit]))(
    "says of %s what the engine enforces: %s %s",
    (name, amount, unit) => {
      const factor = UNITS[unit];
      if (factor === undefined) throw new Error(`The page has a unit that the test does not know: ${unit}`);
      expect(Object.entries(LIMITS)).toContainEqual([name, Number(amount.replaceAll(",", "")) * factor]);
    },
  );
});
