import axe from "axe-core";
import type { Page } from "playwright-core";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that another theme can change. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** What axe finds wrong, in short. It is put into the page by the browser's own tools, which no policy of the page binds. */
export async function violations(page: Page, looked: "all" | "colours" = "all"): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const options = { runOnly: looked === "all" ? STANDARDS : COLOURS, resultTypes: ["violations"] };
  const found = await page.evaluate<Pick<axe.AxeResults, "violations">>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
