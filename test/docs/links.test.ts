import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES, ROOT } from "./pages.ts";

/** What a heading is reached by, on the hosts of repositories and on the site. */
function anchorsOf(text: string): ReadonlySet<string> {
  const withoutCode = text.replaceAll(/^```.*?^```$/gms, "");
  const headings = [...withoutCode.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
  return new Set(headings);
}

function faultOf(path: string, link: string): string | undefined {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? path : join(path, "..", decodeURIComponent(file));
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith(".md")) return undefined;
  const found = anchorsOf(readFileSync(join(ROOT, target), "utf8")).has(anchor);
  return found ? undefined : `${link}: ${target} has no heading of that name`;
}

describe("links", () => {
  it.each(PAGES)("of $path lead to what there is", ({ path, text }) => {
    const withoutCode = text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "");
    const links = [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(inside.map((link) => faultOf(path, link)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("are looked at with their headings", () => {
    expect(faultOf("docs/client.md", "cli.md#exit-codes")).toBeUndefined();
    expect(faultOf("docs/client.md", "cli.md#exit-signs")).toContain("has no heading of that name");
    expect(faultOf("docs/client.md", "nowhere.md")).toContain("there is no docs/nowhere.md");
  });
});
