import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dependOn, nameRelease } from "./release-texts.ts";

/** After `changeset version`: the changelog and the templates follow the version that it has set. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(ROOT + file, change(readFileSync(ROOT + file, "utf8")));
}

// The cast: every package has a version.
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { readonly version: string };
edit("CHANGELOG.md", (text) => nameRelease(text, version, new Date().toISOString().slice(0, 10)));
for (const template of readdirSync(`${ROOT}templates`)) {
  edit(`templates/${template}/package.json`, (text) => dependOn(text, version));
}
