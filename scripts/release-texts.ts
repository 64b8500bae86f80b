const UNRELEASED = "## Unreleased";

/** The changelog with a release of that version and day, which has all that was not released before. */
export function nameRelease(changelog: string, version: string, day: string): string {
  const [before, after, ...more] = changelog.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`Cannot name release ${version} as the changelog must have one heading "${UNRELEASED}".`);
  }
  const next = after.search(/^## /m);
  const changes = next === -1 ? after : after.slice(0, next);
  if (changes.trim() === "") {
    throw new Error(
      `Cannot name release ${version} as "${UNRELEASED}" must say what changes: there is nothing below it.`,
    );
  }
  // The heading is the version alone: so the release's page on GitHub finds what belongs to it.
  return `${before}${UNRELEASED}\n\n## ${version}\n\nReleased on ${day}.\n${after}`;
}

/** A template's package.json, which is published with that version and installs it. */
export function dependOn(packageText: string, version: string): string {
  return packageText.replace(/"stepwell": "[^"]*"/, `"stepwell": "^${version}"`);
}

const WORKSPACES = /(\n {2}"version": "[^"]*",\n)( {2}"workspaces": \[[^\]]*\],\n)/;

/** package.json without its workspaces, and what gives them back to it, whatever its version is then. */
export function withoutWorkspaces(packageText: string): readonly [string, (changed: string) => string] {
  const workspaces = WORKSPACES.exec(packageText)?.[2];
  if (workspaces === undefined) {
    throw new Error('Cannot leave out workspaces as they must follow "version" in package.json: they do not.');
  }
  return [
    packageText.replace(WORKSPACES, "$1"),
    (changed) => changed.replace(/\n {2}"version": "[^"]*",\n/, (line) => line + workspaces),
  ];
}
