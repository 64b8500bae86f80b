import { readFileSync, writeFileSync } from "node:fs";

/** Packages whose code is a part of ours, and where it lies in it. */
const EMBEDDED = [
  { name: "openapi-explorer", title: "OpenAPI Explorer", author: "Authress", folder: "dist/worker/docs" },
  { name: "preact", title: "Preact", author: "its authors", folder: "dist/worker/dashboard-files" },
  {
    name: "@preact/signals",
    title: "Preact Signals",
    author: "the Preact team",
    folder: "dist/worker/dashboard-files",
  },
  {
    name: "@preact/signals-core",
    title: "Preact Signals Core",
    author: "the Preact team",
    folder: "dist/worker/dashboard-files",
  },
] as const;

/** Their licenses go where their code goes. */
export function writeThirdPartyLicenses(): void {
  const texts = EMBEDDED.map(({ name, title, author, folder }) => {
    const place = new URL(`../node_modules/${name}/`, import.meta.url);
    // The cast: every package has a version.
    const { version } = JSON.parse(readFileSync(new URL("package.json", place), "utf8")) as {
      readonly version: string;
    };
    const notice = `${title} ${version}, by ${author}, is part of this package (${folder}) under this license.\n\n`;
    return notice + readFileSync(new URL("LICENSE", place), "utf8").trimEnd();
  });
  writeFileSync(
    new URL("../third-party-licenses.txt", import.meta.url),
    `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`,
  );
}
