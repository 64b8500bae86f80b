import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { declarationsIn, pureFiles, sampleOf } from "../scripts/mutation/sample.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

it("a sample is drawn from what runs, not from types and imports", () => {
  const source = [
    'import { a } from "./a.ts";',
    "export interface Shape {",
    "  readonly kind: string;",
    "}",
    "const LIMIT = 5;",
    "export function twice(n: number): number {",
    "  return 2 * n;",
    "}",
    "class Box {}",
    "export { LIMIT };",
  ].join("\n");
  expect(declarationsIn("x.ts", source)).toEqual(["x.ts:5-5", "x.ts:6-8", "x.ts:9-9"]);
});

it("a sample is the same for the same seed, another one for another, and never larger than asked for", () => {
  const files = pureFiles(ROOT);
  expect(files).toEqual(expect.arrayContaining(["src/steps/backoff.ts", "src/journal/settle.ts"]));
  const draw = (seed: number) => sampleOf(ROOT, files, { count: 20, seed });
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(new Set(draw(1)).size).toBe(20);
});
