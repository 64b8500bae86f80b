import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

describe("the page of the client", () => {
  it("shows a program that compiles: the one among the programs of authors", () => {
    const [, program] = /^```ts\n(.*?)^```$/ms.exec(read("docs/client.md")) ?? [];
    expect(program).toBe(read("test/types/client-page.ts"));
  });
});
