import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import { EXTRACTED, extract } from "./extract.ts";
import { ROOT } from "./pages.ts";

/** The compiler starts from nothing, and beside other tests. */
const COMPILED_BY_MS = 5 * 60_000;

const extracted = extract();
const marked = extracted.filter(({ marks }) => marks.includes("run"));

afterAll(() => rmSync(EXTRACTED, { recursive: true, force: true }));

/** The faults that the compiler finds, by file and line. */
function compile(): readonly string[] {
  try {
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", EXTRACTED], { cwd: ROOT, encoding: "utf8" });
    return [];
  } catch (error) {
    // The cast: so does a program end that has found something.
    const { stdout } = error as { readonly stdout: string };
    return stdout.trim().split("\n");
  }
}

describe("the code of the pages", () => {
  it("is found", () => {
    expect(extracted.length).toBeGreaterThan(20);
    expect(marked.length).toBeGreaterThan(0);
  });

  it("compiles, all of it", { timeout: COMPILED_BY_MS }, () => {
    expect(compile()).toEqual([]);
  });

  it.each(marked)("of $page, line $line, prints what stands below it", async ({ file, next }) => {
    const lines: string[] = [];
    const logged = vi.spyOn(console, "log").mockImplementation((...what: readonly unknown[]) => {
      lines.push(format(...what));
    });
    await import(file);
    logged.mockRestore();
    expect(next?.language).toBe("text");
    expect(`${lines.join("\n")}\n`).toBe(next?.code);
  });
});
