import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { ROOT } from "../../examples/demo/processes.ts";
import { type DashboardSite, describeInBrowser, SCREENSHOTS } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";
import { smallPicture } from "./small-png.ts";

/** Those that are kept, in `docs/dashboard`. They are copied there by hand, as no two machines draw the same letters. */
const KEPT = ["list", "timeline", "phone"];
const MAXIMUM_BYTES = 60 * 1_024;

async function draw(page: Page, name: string): Promise<void> {
  mkdirSync(join(SCREENSHOTS, "docs"), { recursive: true });
  writeFileSync(join(SCREENSHOTS, "docs", `${name}.png`), await smallPicture(page));
}

async function settled(page: Page): Promise<void> {
  await eventually(async () => {
    expect(await page.locator(".sentence-main").innerText()).toContain("render-tile");
  });
}

function drawAll(site: () => DashboardSite): void {
  it("are drawn anew for whoever wants to keep them", async () => {
    const path = await site().start("fan-out", "album-2026-11", { tiles: 12 });
    const page = await site().page(path, { viewport: { width: 1_100, height: 700 } });
    await settled(page);
    await page.locator(".row").nth(3).click();
    await page.waitForTimeout(2_500);
    await page.evaluate("scrollTo(0, 0)");
    await draw(page, "timeline");
    for (const [index, sku] of ["lamp", "desk", "sold-out"].entries()) {
      await site().start("order", `order-${39 + index}`, { sku, cents: 4_900 + index });
    }
    await site().start("saga", "trip-rome", { city: "rome" });
    await site().start("reminder", "dentist", { to: "a@example.com", interval: "7d" });
    await site().start("broken", "nightly-totals");
    await site().start("order", "order-42", { sku: "lamp", cents: 4_900 });
    const list = await site().page("/dashboard", { viewport: { width: 1_100, height: 600 } });
    await eventually(async () => {
      const text = await list.locator(".executions").innerText();
      for (const words of ["RUN_FAILED", "NO_CAR", "sleeps", "Retry-After"]) expect(text).toContain(words);
    }, 40_000);
    await draw(list, "list");
    const order = await site().start("order", "order-43", { sku: "lamp", cents: 4_900 });
    const phone = await site().page(order, { theme: "dark", viewport: { width: 375, height: 720 } });
    await eventually(async () => {
      expect(await phone.locator(".sentence-main").innerText()).toContain("attempt 3 of 5");
    });
    await draw(phone, "phone");
  });
}

// It takes half a minute, and what they show is shown by other tests: `npm run docs:dashboard` asks for it.
if (process.env["STEPWELL_PICTURES"] === "1") describeInBrowser("the pictures of the documentation", drawAll, {});

it.each(KEPT)("the picture %s of the documentation is small", (name) => {
  expect(statSync(join(ROOT, "docs/dashboard", `${name}.png`)).size).toBeLessThan(MAXIMUM_BYTES);
});
