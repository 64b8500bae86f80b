import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { pureFiles, sampleOf } from "./mutation/sample.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DEFAULT_SEED = 1;

/**
 * `npm run mutation` breaks every decision of `src/steps` and `src/journal`, one at a time, and sees whether a test
 * notices. Names of files narrow it to these; `--sample 40 --seed 7` to forty declarations, drawn by the seed.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: "string" }, seed: { type: "string" } },
  });
  const files = positionals.length > 0 ? positionals : pureFiles(ROOT);
  const seed = wholeNumber("seed", values.seed) ?? DEFAULT_SEED;
  const count = wholeNumber("sample", values.sample);
  const mutate = count === undefined ? files : sampleOf(ROOT, files, { count, seed });
  await new Stryker({ mutate }).runMutationTest();
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) {
    throw new TypeError(
      `Cannot use --${option} as it must be a whole number: current value is ${JSON.stringify(text)}.`,
    );
  }
  return Number(text);
}

await main();
