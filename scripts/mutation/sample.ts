import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

const FOLDERS = ["src/steps", "src/journal"];

/** Source files of the two pure layers, as paths in the repository. */
export function pureFiles(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(root + folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  ).sort();
}

/**
 * So many declarations of the top level, drawn from all files: a function is broken as a whole, so no kind of mutant is
 * drawn more often than it occurs. The same seed draws the same ones of the same code.
 */
export function sampleOf(root: string, files: readonly string[], drawn: { count: number; seed: number }): string[] {
  const places = files.flatMap((file) => declarationsIn(file, readFileSync(root + file, "utf8")));
  return shuffled(places, drawn.seed).slice(0, drawn.count).sort();
}

/** As a mutation tester takes them: `file:first line-last line`. */
export function declarationsIn(file: string, source: string): string[] {
  const lineOf = (offset: number): number => source.slice(0, offset).split("\n").length;
  return parseSync(file, source)
    .program.body.map((node) => (node.type === "ExportNamedDeclaration" && node.declaration ? node.declaration : node))
    .filter(({ type }) => ["FunctionDeclaration", "VariableDeclaration", "ClassDeclaration"].includes(type))
    .map(({ start, end }) => `${file}:${lineOf(start)}-${lineOf(end)}`);
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = randomOf(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 by a linear congruence: evenness is all that a sample asks for. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
