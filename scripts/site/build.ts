import Eleventy, {
  IdAttributePlugin,
  InputPathToUrlTransformPlugin,
  type Configuration,
  type Page,
} from "@11ty/eleventy";
import highlighting from "@11ty/eleventy-plugin-syntaxhighlight";
import { contents, titleOf } from "./contents.ts";
import { readFileSync } from "node:fs";
import { deadLinks } from "./dead-links.ts";
import { layout } from "./layout.ts";
import { withoutOutsideLinks } from "./outside-links.ts";

const SITE = "site";
const PORT = 4_000;

function configure(configuration: Configuration): { readonly markdownTemplateEngine: false } {
  configuration.addPlugin(highlighting);
  configuration.addPlugin(IdAttributePlugin);
  configuration.addPlugin(InputPathToUrlTransformPlugin);
  // Beside each other as the pages are, so that what they show is where they say.
  configuration.addGlobalData("permalink", "{{ page.filePathStem }}.html");
  configuration.amendLibrary("md", withoutOutsideLinks);
  configuration.addPassthroughCopy({
    "scripts/site/style.css": "style.css",
    "docs/pictures": "pictures",
    "docs/dashboard/*.png": "dashboard",
    "docs/*.svg": ".",
  });
  configuration.addTransform("layout", function (body) {
    return laidOut(body, this.page);
  });
  // Braces in the code of a page are code.
  return { markdownTemplateEngine: false };
}

function laidOut(body: string, { inputPath, outputPath, url }: Page): string {
  if (outputPath === false || !outputPath.endsWith(".html")) return body;
  const title = titleOf(readFileSync(inputPath, "utf8"), inputPath);
  return layout({ title, url, body }, contents());
}

const site = new Eleventy("docs", SITE, { quietMode: true, configPath: undefined, config: configure });
await site.write();
const dead = deadLinks(SITE);
for (const link of dead) console.error(`Cannot show a link as it must lead to what the site has: current value is ${link}`);
if (dead.length > 0) process.exitCode = 1;
if (process.argv.includes("--serve")) {
  await site.watch();
  await site.serve(PORT);
}
