import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong, in short. It is put into the page by the browser's own tools, which no policy of the page binds. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const found = await page.evaluate<Pick<axe.AxeResults, "violations">>(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] })`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
