import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const DOCS = join(import.meta.dirname, "../../docs");

/** Pages in the order of reading. One that is not there has no place in the list. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  "Begin here": ["quickstart", "concepts", "determinism"],
  Steps: ["retries", "retry-after", "timeouts", "requests"],
  Executions: ["signals", "callbacks", "children", "schedules", "cancel-and-rollback", "forks", "versions"],
  "From outside": ["http", "client", "cli", "dashboard", "directory", "events"],
  Quality: ["testing", "lint", "conformance"],
  Operating: ["operating", "observability", "performance", "scale", "limits", "security", "storage"],
  Reference: ["workflow-reference", "configuration"],
  Others: ["comparison", "from-cloudflare-workflows", "from-openworkflow"],
};

export interface Linked {
  readonly title: string;
  /** Of the site. */
  readonly url: string;
}

export interface Part {
  readonly title: string;
  readonly pages: readonly Linked[];
}

export function contents(): readonly Part[] {
  const parts = Object.entries(PARTS).map(([title, pages]) => ({
    title,
    pages: pages.filter((page) => existsSync(join(DOCS, `${page}.md`))).map(linkedPage),
  }));
  return [...parts, { title: "Lint rules", pages: pagesIn("lint") }, { title: "Decisions", pages: pagesIn("decisions") }];
}

function pagesIn(folder: string): readonly Linked[] {
  const names = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => linkedPage(`${folder}/${name.slice(0, -".md".length)}`));
}

function linkedPage(page: string): Linked {
  return { title: titleOf(readFileSync(join(DOCS, `${page}.md`), "utf8"), page), url: `/${page}.html` };
}

/** The first heading of a page. */
export function titleOf(text: string, page: string): string {
  const [, title] = /^# (.*)$/m.exec(text) ?? [];
  if (title !== undefined) return title.replaceAll("`", "");
  throw new Error(`Cannot list ${page} as a page must begin with a heading: current value is ${text.slice(0, 40)}`);
}
