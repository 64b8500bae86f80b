import type { Linked, Part } from "./contents.ts";

/** Parts that only some readers look for are closed. */
const CLOSED = ["Lint rules", "Decisions"];

export interface Laid {
  readonly title: string;
  readonly url: string;
  readonly body: string;
}

/** A whole page of the site: without scripts, and with nothing of another host. */
export function layout({ title, url, body }: Laid, parts: readonly Part[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === "Stepwell" ? title : `${title} · Stepwell`)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<nav aria-label="Pages">
<a class="skip" href="#content">To the text</a>
<p><strong><a href="/">Stepwell</a></strong></p>
${parts.map((part) => navigation(part, url)).join("\n")}
</nav>
<main id="content">
${body}
${neighbours(parts, url)}
</main>
</body>
</html>
`;
}

function navigation({ title, pages }: Part, url: string): string {
  if (pages.length === 0) return "";
  const list = `<ul>${pages.map((page) => item(page, url)).join("")}</ul>`;
  if (!CLOSED.includes(title)) return `<strong>${title}</strong>${list}`;
  const isOpen = pages.some((page) => page.url === url);
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary>${list}</details>`;
}

/** The pages before and after this one, in the order of reading. */
function neighbours(parts: readonly Part[], url: string): string {
  const pages = parts.filter(({ title }) => !CLOSED.includes(title)).flatMap((part) => part.pages);
  const index = pages.findIndex((page) => page.url === url);
  const before = index > 0 ? pages[index - 1] : undefined;
  const after = index >= 0 ? pages[index + 1] : undefined;
  const links = [before && `<a href="${before.url}">← ${escaped(before.title)}</a>`, after && `<a href="${after.url}">${escaped(after.title)} →</a>`];
  const shown = links.filter((link) => link !== undefined);
  return shown.length === 0 ? "" : `<nav class="neighbours" aria-label="Before and after">${shown.join("")}</nav>`;
}

function item(page: Linked, url: string): string {
  const current = page.url === url ? ' aria-current="page"' : "";
  return `<li><a href="${page.url}"${current}>${escaped(page.title)}</a></li>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
