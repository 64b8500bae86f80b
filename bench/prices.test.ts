import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PRICES, priceOf } from "./prices.ts";

const page = (name: string) => readFileSync(join(import.meta.dirname, "../docs", name), "utf8");

describe("the prices of the platform", () => {
  it.each(["operating.md", "scale.md"])("are those that docs/%s names, of the same month", (name) => {
    const text = page(name);
    expect(text).toContain(PRICES.asOf);
    for (const price of [PRICES.perMillionRowsWritten, PRICES.perMillionRequestsToWorker, PRICES.perGbMonth]) {
      expect(text).toContain(price.toFixed(2));
    }
    expect(text).toContain(PRICES.perMillionRequestsToObjects.toFixed(2));
    expect(text).toContain(PRICES.perMillionGbSeconds.toFixed(2));
  });

  it("make the total of the example in docs/operating.md", () => {
    const MILLION = 1_000_000;
    const total = priceOf({
      rowsWritten: 22 * MILLION,
      requestsToWorker: MILLION,
      requestsToObjects: 6 * MILLION,
      gbSeconds: 62_500,
      gbMonths: (16 * 7) / 30,
    });
    expect(page("operating.md")).toContain(`| **${total.toFixed(2)}** |`);
  });
});
