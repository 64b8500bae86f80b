import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { writeThirdPartyLicenses } from "./third-party-licenses.ts";

/**
 * Writes the module that holds the script of the page at `/docs`, as a Worker reads no files and the page must load
 * nothing from another host. It is made anew with every build and is never committed.
 */
const PACKAGE = new URL("../node_modules/openapi-explorer/", import.meta.url);
const FOLDER = new URL("../src/worker/docs/", import.meta.url);

// The cast: every package has a version.
const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8")) as { readonly version: string };
const script = readFileSync(new URL("dist/browser/openapi-explorer.min.js", PACKAGE));
const text = gzipSync(script, { level: 9 }).toString("base64");
const comment = `/** OpenAPI Explorer ${version} by Authress, under the Apache License 2.0: gzip, in base64. */`;
mkdirSync(FOLDER, { recursive: true });
writeFileSync(
  new URL("explorer-script.ts", FOLDER),
  `// Written by scripts/embed-explorer.ts.\n\n${comment}\nexport const EXPLORER_SCRIPT =\n  "${text}";\n`,
);
writeThirdPartyLicenses();
