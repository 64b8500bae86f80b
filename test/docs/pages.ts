import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** A page that people read, by its path from the root. */
export interface DocumentPage {
  readonly path: string;
  readonly text: string;
}

/** Every page of the repository. */
export const PAGES: readonly DocumentPage[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "examples/README.md",
  "bench/README.md",
  ...readdirSync(join(ROOT, "templates")).map((name) => `templates/${name}/README.md`),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** A block of code in a page. */
export interface Block {
  /** The first word after the fence. */
  readonly language: string;
  /** The words behind it. */
  readonly marks: readonly string[];
  readonly code: string;
  /** Of its first line, from 1. */
  readonly line: number;
}

export function blocksOf({ text }: DocumentPage): readonly Block[] {
  return [...text.matchAll(/^```(\S+)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(
    ({ 1: language = "", 2: marks, 3: code = "", index }) => ({
      language,
      marks: marks?.split(" ") ?? [],
      code,
      line: text.slice(0, index).split("\n").length + 1,
    }),
  );
}
