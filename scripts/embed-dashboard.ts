import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { buildDashboard } from "./build-dashboard.ts";
import { writeThirdPartyLicenses } from "./third-party-licenses.ts";

/**
 * Writes the modules that hold what the browser loads for the dashboard, as a Worker reads no files. They are made anew
 * with every build and are never committed. The version changes with what is in them, so that a browser may keep them.
 */
const FOLDER = new URL("../src/worker/dashboard-files/", import.meta.url);
const WRITTEN = "// Written by scripts/embed-dashboard.ts.\n\n";

const { script, style } = await buildDashboard();
const version = createHash("sha256").update(script).update(style).digest("hex").slice(0, 12);
const constant = (name: string, value: Buffer) => `export const ${name} =\n  "${value.toString("base64")}";\n`;
mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL("version.ts", FOLDER), `${WRITTEN}export const DASHBOARD_VERSION = "${version}";\n`);
writeFileSync(
  new URL("files.ts", FOLDER),
  `${WRITTEN}/** gzip, in base64. */\n${constant("DASHBOARD_SCRIPT", script)}${constant("DASHBOARD_STYLE", style)}`,
);
writeThirdPartyLicenses();
