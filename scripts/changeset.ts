import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { withoutWorkspaces } from "./release-texts.ts";

/**
 * `changeset` with those arguments. It does not take the root for a package where there are workspaces, and ours is
 * only there for the tests of the linter: so there is none while it runs.
 */
const PACKAGE = new URL("../package.json", import.meta.url);

const [text, giveBack] = withoutWorkspaces(readFileSync(PACKAGE, "utf8"));
writeFileSync(PACKAGE, text);
try {
  const { status } = spawnSync("changeset", process.argv.slice(2), { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  writeFileSync(PACKAGE, giveBack(readFileSync(PACKAGE, "utf8")));
}
