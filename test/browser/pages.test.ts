import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { describeInBrowser, fitsWidth, PHONE, screenshot } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";
import { violations } from "./violations.ts";

const ODD = "oddities-of-every-kind-that-a-page-has-to-bear-without-breaking";
const LONG_ID = `${"a-very-long-id-".repeat(8)}end`;

interface Shown {
  readonly name: string;
  readonly path: string;
  /** What stands there once the page is whole. */
  readonly whole: string;
  readonly before?: (page: Page) => Promise<void>;
}

const PAGES: readonly Shown[] = [
  { name: "list", path: "/dashboard?search=look", whole: ".execution-row" },
  { name: "list-without-anything", path: "/dashboard?search=nothing-has-this-id", whole: ".empty" },
  {
    name: "execution-waiting",
    path: "/dashboard/executions/order/look",
    whole: ".signals",
    before: async (page) => await page.locator(".row", { hasText: "charge-card" }).click(),
  },
  {
    name: "execution-failed",
    path: "/dashboard/executions/saga/look",
    whole: ".tone-bad",
    before: async (page) => await page.locator(".row", { hasText: "Rollback of book-hotel" }).click(),
  },
  {
    name: "execution-fan-out",
    path: "/dashboard/executions/fan-out/look",
    whole: ".row",
    before: async (page) => await page.locator(".entry").nth(3).click(),
  },
  {
    name: "execution-looked-back-at",
    path: "/dashboard/executions/order/look",
    whole: ".signals",
    before: async (page) => await page.getByRole("slider").fill("4"),
  },
  { name: "execution-odd", path: `/dashboard/executions/${ODD}/${LONG_ID}`, whole: ".signals" },
  { name: "execution-paused", path: "/dashboard/executions/broken/look", whole: ".tone-attention" },
  { name: "execution-absent", path: "/dashboard/executions/order/nobody", whole: ".empty" },
  {
    name: "signal-form",
    path: "/dashboard/executions/order/look",
    whole: ".signals",
    before: async (page) => await page.getByRole("button", { name: "Signal …" }).click(),
  },
  {
    name: "start-form",
    path: "/dashboard/workflows",
    whole: ".card",
    before: async (page) => {
      await page.getByLabel("forms", { exact: true }).getByRole("button", { name: "Start …" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Add to tags" }).click();
      await dialog.getByRole("button", { name: "Add to labels" }).click();
      await dialog.getByLabel("pay", { exact: true }).selectOption('by: "invoice"');
    },
  },
  {
    name: "workflows",
    path: "/dashboard/workflows",
    whole: ".card",
    before: async (page) => await page.locator("summary").first().click(),
  },
  { name: "schedules", path: "/dashboard/schedules", whole: ".card" },
];

describeInBrowser("the pages of the dashboard", (site) => {
  beforeAll(async () => {
    await site().start("order", "look", { sku: "lamp", cents: 4_900 });
    await site().start("fan-out", "look", { tiles: 30 });
    await site().start("saga", "look", { city: "rome" });
    await site().start("broken", "look");
    await site().start(ODD, LONG_ID, { text: "𝕌𝕟𝕚𝕔𝕠𝕕𝕖 — “quoted” <b>not bold</b> \u202Ereversed" });
  });

  for (const { name, path, whole, before } of PAGES) {
    it(`break no rule of accessibility, in both themes, and fit a phone: ${name}`, async () => {
      const page = await site().page(path);
      await page.locator(whole).first().waitFor();
      await before?.(page);
      expect([name, await violations(page)]).toEqual([name, []]);
      await screenshot(page, `${name}-light`);
      await page.emulateMedia({ colorScheme: "dark" });
      await screenshot(page, `${name}-dark`);
      await page.setViewportSize(PHONE);
      expect([name, await fitsWidth(page)]).toEqual([name, true]);
      // The dark colours are the same on a phone: what another theme and another width can do is found at once.
      expect([name, "dark, on a phone", await violations(page)]).toEqual([name, "dark, on a phone", []]);
      await screenshot(page, `${name}-dark-phone`);
    });
  }

  it("find what axe is meant to find", async () => {
    const page = await site().page("/dashboard/workflows");
    await page.locator(".card").first().waitFor();
    await page.evaluate(`document.querySelector("main").insertAdjacentHTML("beforeend", "<img src='data:,'>")`);
    expect(await violations(page)).toContainEqual(expect.stringMatching(/^image-alt/));
  });

  it("show the theme that somebody has chosen, also when they come back", async () => {
    const page = await site().page("/dashboard/workflows", { theme: "light" });
    const ground = async () =>
      String(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
    const light = await ground();
    await page.getByLabel("Theme").selectOption("dark");
    await eventually(async () => expect(await ground()).not.toBe(light));
    await page.reload();
    await page.locator(".card").first().waitFor();
    expect(await ground()).not.toBe(light);
    await page.getByLabel("Theme").selectOption("system");
    await eventually(async () => expect(await ground()).toBe(light));
  });

  it("load nothing but what the Worker serves: a script and a style", async () => {
    const page = await site().page("/dashboard");
    await page.locator(".execution-row").first().waitFor();
    const loaded = await page.evaluate<readonly string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    expect(loaded.filter((name) => !name.startsWith(site().url) && !name.startsWith("data:"))).toEqual([]);
    expect(loaded.filter((name) => name.includes("/assets/"))).toHaveLength(2);
  });

  it("take no script that was written into a value or a name", async () => {
    const id = "safe";
    const text = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>";
    const page = await site().page(await site().start(ODD, id, { text }));
    await page.locator(".signals").waitFor();
    expect(await page.locator(".values").innerText()).toContain("onerror");
    expect(await page.title()).not.toContain("hacked");
    expect(await page.locator("main img, main script").count()).toBe(0);
  });
});
