import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the pages of a site link to or show, and the site does not have. */
export function deadLinks(site: string): readonly string[] {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(site, page), "utf8").matchAll(/ (?:href|src)="([^"#]+)[^"]*"/g)];
    const dead = links.map(([, link = ""]) => link).filter((link) => isLocal(link) && !existsSync(join(site, fileOf(link, page))));
    return dead.map((link) => `${page}: ${link}`);
  });
}

function isLocal(link: string): boolean {
  return !/^[a-z]+:/.test(link);
}

function fileOf(link: string, page: string): string {
  const { pathname } = new URL(link, `http://site/${page}`);
  return decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
}
