import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/**
 * Writes the module that holds the script of the page at `/docs`: a Worker reads no files, and the page must load
 * nothing from another host. To be run after its package was raised; a test tells when that was forgotten.
 */
const PACKAGE = new URL("../node_modules/openapi-explorer/", import.meta.url);
const MODULE = new URL("../src/worker/docs/explorer-script.ts", import.meta.url);

// The cast: every package has a version.
const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")) as { readonly version: string };
const script = readFileSync(new URL("dist/browser/openapi-explorer.min.js", PACKAGE));
const text = gzipSync(script, { level: 9 }).toString("base64");
const comment = `/** OpenAPI Explorer ${version} by Authress, under the Apache License 2.0: gzip, in base64. */`;
writeFileSync(
  MODULE,
  `// Written by scripts/embed-explorer.ts.\n\n${comment}\nexport const EXPLORER_SCRIPT =\n  "${text}";\n`,
);
console.log(`Embedded OpenAPI Explorer ${version}: ${text.length} characters.`);
