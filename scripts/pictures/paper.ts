/** Of every picture, in its own units. */
export const WIDTH = 760;

export interface Drawing {
  /** For those who do not see it, too. */
  readonly title: string;
  readonly height: number;
  /** Rules of CSS besides those of the paper, and what is otherwise in the dark. */
  readonly light: string;
  readonly dark: string;
  readonly parts: readonly string[];
}

/** An SVG that stands by itself. By its own background it can be read wherever it is shown, in light and dark. */
export function onPaper({ title, height, light, dark, parts }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>
text{font:11px system-ui,sans-serif;fill:#1f2328}
.quiet{fill:#59636e}
.paper{fill:#fff;stroke:#d1d9e0}
.grid{stroke:#d1d9e0;stroke-opacity:.6}
${light}
@media (prefers-color-scheme:dark){
text{fill:#f0f6fc}
.quiet{fill:#9198a1}
.paper{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#3d444d}
${dark}
}
</style>`,
    `<rect class="paper" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** What may stand in text and attributes of an SVG. */
export function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
