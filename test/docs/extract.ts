import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, blocksOf, PAGES } from "./pages.ts";

/** Inside of the repository, so that modules are found from there as from any other. */
export const EXTRACTED = join(import.meta.dirname, "extracted");

/** The body of a workflow's function has everything that a workflow can name. */
const BEFORE = `import * as z from "zod";
import { CancelledError, defineWorkflow, executionRef, HttpRefusal, NonRetryableError, RetryableError, StepTimeout } from "stepwell";
const input = z.object({ sku: z.string(), cents: z.int(), to: z.string() });
const signals = { approval: z.object({ approved: z.boolean() }) };
const errors = { OUT_OF_STOCK: z.object({ sku: z.string() }), NOT_APPROVED: z.object({}) };
export const page = defineWorkflow({ name: "page", input, signals, errors }, async (context) => {
const { step, sleep, sleepUntil, awaitSignal, createCallback, startExecution, awaitExecution, runExecution } = context;
const { signalExecution, cancelExecution, retryAfter, cancelled, exhausted, now, random, uuid, patched, log } = context;
const { input, env, errors, execution, setProgress, setAttributes } = context;
`;
const AFTER = "\n});\n";

const TSCONFIG = {
  extends: "../../../tsconfig.json",
  compilerOptions: {
    types: ["@cloudflare/workers-types", "@cloudflare/vitest-pool-workers/types", "node"],
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: [".", "../prelude.d.ts"],
  exclude: [],
};

/** A block that lies in a file of its own. */
export interface Extracted extends Block {
  readonly page: string;
  readonly file: string;
  /** The block after it in its page. */
  readonly next: Block | undefined;
}

/** Pages whose code is shown to be wrong, or is tested by tests of their own. */
const ELSEWHERE = /^docs\/(?:lint|decisions)\/|^(?:ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md$/;

/** Writes every block of TypeScript that the pages show into a file, one folder for each page. */
export function extract(): readonly Extracted[] {
  rmSync(EXTRACTED, { recursive: true, force: true });
  const extracted = PAGES.filter(({ path }) => !ELSEWHERE.test(path)).flatMap((page) =>
    blocksOf(page).flatMap((block, index, blocks) => {
      if (block.language !== "ts") return [];
      return [{ ...block, page: page.path, file: fileOf(page.path, block), next: blocks[index + 1] }];
    }),
  );
  for (const { file } of extracted) {
    const folder = join(file, "..");
    mkdirSync(folder, { recursive: true });
    // What pages import as theirs; one that shows it has its own.
    copyFileSync(join(import.meta.dirname, "order.ts"), join(folder, "order.ts"));
  }
  for (const { file, code, marks } of extracted) {
    writeFileSync(file, marks.includes("workflow") ? BEFORE + code + AFTER : `${code}\nexport {};\n`);
  }
  writeFileSync(join(EXTRACTED, "tsconfig.json"), JSON.stringify(TSCONFIG));
  return extracted;
}

/** As the page names it, or by the line where it begins. */
function fileOf(page: string, { marks, line }: Block): string {
  const named = marks.find((mark) => mark.startsWith("file="))?.slice("file=".length);
  return join(EXTRACTED, page.replaceAll("/", "-").replace(/\.md$/, "").toLowerCase(), named ?? `line-${line}.ts`);
}
