#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { run } from "./run.ts";

const FILE_COLUMNS = 100;

const { stdin, stdout, stderr, env } = process;

// Whoever reads the output may have seen enough: `stepwell list | head`.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

// The cast: it is this package's own.
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

process.exitCode = await run(process.argv.slice(2), {
  env,
  version,
  columns: stdout.isTTY ? stdout.columns : FILE_COLUMNS,
  colours: stdout.isTTY && (env["NO_COLOR"] ?? "") === "",
  write: (written) => void stdout.write(written),
  writeNote: (written) => void stderr.write(written),
  readInput: () => text(stdin),
  now: () => Date.now(),
  fetch: (input, init) => fetch(input, init),
});
