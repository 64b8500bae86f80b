import type { Markdown } from "@11ty/eleventy";

/**
 * What lies outside the pages, sources and examples, can be opened in the repository and not from the site: there its
 * link is only its text.
 */
export function withoutOutsideLinks(markdown: Markdown): void {
  markdown.core.ruler.push("outside-links", ({ tokens, env }) => {
    // The cast: so does the generator say where a page is.
    const { page } = env as { readonly page: { readonly url: string } };
    const depth = page.url.split("/").length - 2;
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") isOutside = leadsOut(token.attrGet("href") ?? "", depth);
        if (!isOutside || !token.type.startsWith("link_")) continue;
        if (token.type === "link_close") isOutside = false;
        token.type = "text";
        token.content = "";
      }
    }
  });
}

/** `depth`: the folders that the page lies in. */
function leadsOut(href: string, depth: number): boolean {
  const ups = /^(?:\.\.\/)*/.exec(href)?.[0].length ?? 0;
  return ups / "../".length > depth;
}
