import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, fitsWidth, PHONE, screenshot, THEMES } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";
import { violations } from "./violations.ts";

const rows = (page: Page) => page.locator(".execution-row");
const ids = async (page: Page) => await page.locator(".execution-row .id").allInnerTexts();
const STARTED = 120;

describeInBrowser("the list of executions", (site) => {
  it("says that nothing has been started yet", async () => {
    const page = await site().page("/dashboard");
    await eventually(async () =>
      expect(await page.locator("main").innerText()).toContain("Nothing has been started yet."),
    );
  });

  it("shows live what is started, what it waits for, and how many there are in each state", async () => {
    const page = await site().page("/dashboard");
    await site().start("order", "live-one", { sku: "lamp", cents: 4_900 });
    await site().start("reminder", "sleeper", { to: "a@example.com", interval: "1h" });
    await site().start("saga", "trip", { city: "rome" });
    // Without anybody touching the page.
    await eventually(async () => {
      expect(await ids(page)).toEqual(["trip", "sleeper", "live-one"]);
      expect(await rows(page).nth(0).innerText()).toContain("NO_CAR");
      expect(await rows(page).nth(1).innerText()).toMatch(/sleeps in \d+ min/);
      expect(await page.getByRole("button", { name: "failed" }).innerText()).toMatch(/1$/);
    }, 40_000);
  });

  it("shows progress and attributes, whatever letters they are written in", async () => {
    const name = "oddities-of-every-kind-that-a-page-has-to-bear-without-breaking";
    await site().start(name, "odd", { text: "x" });
    const page = await site().page("/dashboard?search=odd");
    await eventually(async () => {
      const text = await rows(page).first().innerText();
      expect(text).toContain("customer=Жанна d’Arc");
      expect(text).toContain("3 of 12");
    }, 40_000);
  });

  it("comes page by page as somebody scrolls, and shows every execution once", async () => {
    const numbers = Array.from({ length: STARTED }, (_, index) => index);
    // Ten at a time, so that the last ten are the newest.
    for (const from of numbers.filter((index) => index % 10 === 0)) {
      await Promise.all(
        numbers.slice(from, from + 10).map((index) => site().start("child", `many-${index}`, { ms: 3_600_000 })),
      );
    }
    const page = await site().page("/dashboard?workflow=child");
    await eventually(async () => expect(await rows(page).count()).toBeGreaterThanOrEqual(50));
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      expect(await rows(page).count()).toBe(STARTED);
    }, 30_000);
    const shown = await ids(page);
    expect(new Set(shown).size).toBe(STARTED);
    expect(shown[0]).toMatch(/^many-11\d$/);
    // It stays so while the newest are asked for again.
    await page.waitForTimeout(4_000);
    expect(await rows(page).count()).toBe(STARTED);
  });

  it("filters by state, workflow, time, id and attribute, and the address holds the filter", async () => {
    const page = await site().page("/dashboard");
    await page.getByRole("button", { name: "failed" }).click();
    await eventually(async () => expect(await ids(page)).toEqual(["trip"]));
    expect(page.url()).toContain("state=failed");
    await page.getByRole("button", { name: "all" }).click();
    await page.getByLabel("Workflow").selectOption("reminder");
    await eventually(async () => expect(await ids(page)).toEqual(["sleeper"]));
    await page.getByLabel("Started").selectOption("1h");
    await page.getByLabel("Workflow").selectOption("");
    await page.getByLabel("Search").fill("many-11");
    await eventually(async () => expect(await rows(page).count()).toBe(11));
    await page.reload();
    await eventually(async () => expect(await rows(page).count()).toBe(11));
    expect(await page.getByLabel("Search").inputValue()).toBe("many-11");
    await page.getByLabel("Search").fill("express=true");
    await eventually(async () => expect(await ids(page)).toEqual(["odd"]));
    await page.getByLabel("Search").fill("nothing");
    await eventually(async () => expect(await page.locator("main").innerText()).toContain("Nothing fits this filter."));
    await page.getByRole("link", { name: "Show everything" }).click();
    await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(10));
  });

  it("is gone through by keys alone", async () => {
    const page = await site().page("/dashboard?search=many-1");
    await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(3));
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.type")).toBe("search");
    await page.keyboard.press("Escape");
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    const focused = String(await page.evaluate("document.activeElement.querySelector('.id').innerText"));
    expect(focused).toBe((await ids(page))[1]);
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await page.locator("h1").innerText()).toBe(focused));
    await page.goBack();
    await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(3));
  });

  it("starts a new execution", async () => {
    const page = await site().page("/dashboard");
    await page.getByLabel("Start a new execution").selectOption("saga");
    await page.getByLabel("city").fill("lima");
    await page.getByRole("dialog").getByRole("button", { name: "Start", exact: true }).click();
    await eventually(async () => expect(await page.locator(".values").innerText()).toContain('"lima"'));
  });

  it("says of each workflow how it went lately", async () => {
    const page = await site().page("/dashboard/workflows");
    const card = page.locator(".card", { hasText: "saga" }).first();
    await eventually(async () => expect(await card.innerText()).toContain("NO_CAR"), 30_000);
    expect(await card.innerText()).toContain("0 %");
    await screenshot(page, "workflows-with-statistics");
  });

  it("shows schedules, and pauses, resumes and triggers them", async () => {
    const page = await site().page("/dashboard/schedules");
    const card = page.locator(".card", { hasText: "yearly-trip" });
    await eventually(async () => expect(await card.innerText()).toContain("0 9 1 1 *"));
    expect(await card.innerText()).toContain("Europe/Berlin");
    await card.getByRole("button", { name: "Pause" }).click();
    await eventually(async () => expect(await card.innerText()).toContain("paused"));
    await card.getByRole("button", { name: "Resume" }).click();
    await eventually(async () => expect(await card.getByRole("button", { name: "Pause" }).count()).toBe(1));
    await card.getByRole("button", { name: "Start now" }).click();
    await eventually(async () => expect(await card.locator(".facts").innerText()).toContain("failed"), 30_000);
  });
});

const WITHOUT = { config: join(import.meta.dirname, "without-directory/wrangler.toml") };

describeInBrowser(
  "the list of a deployment without a directory",
  (site) => {
    it("opens an execution by its workflow and id, and remembers it", async () => {
      await site().start("order", "known", { sku: "lamp", cents: 1 });
      const page = await site().page("/dashboard");
      await eventually(async () => expect(await page.locator("main").innerText()).toContain("has no directory"));
      await page.getByLabel("Id").fill("known");
      await page.getByRole("button", { name: "Open" }).click();
      await eventually(async () => expect(await page.locator("h1").innerText()).toBe("known"));
      await page.goBack();
      await eventually(async () => expect(await page.locator(".family").innerText()).toBe("order/known"));
    });

    it("breaks no rule of accessibility, in both themes, and fits a phone", async () => {
      for (const theme of THEMES) {
        const page = await site().page("/dashboard", { theme, viewport: PHONE });
        await page.locator(".empty").waitFor();
        expect([theme, await violations(page), await fitsWidth(page)]).toEqual([theme, [], true]);
        await screenshot(page, `list-without-directory-${theme}-phone`);
      }
    });

    it("has no schedules, and says of workflows only what is deployed", async () => {
      const page = await site().page("/dashboard/schedules");
      await eventually(async () =>
        expect(await page.locator("main").innerText()).toContain("Nothing is started by the clock."),
      );
      await page.getByRole("link", { name: "Workflows" }).click();
      await eventually(async () => expect(await page.locator("main").innerText()).toContain("Without a directory"));
    });
  },
  WITHOUT,
);

const SECRETS = { ...WITHOUT, vars: { STEPWELL_TOKEN: "full-secret", STEPWELL_READ_TOKEN: "read-secret" } };

describeInBrowser(
  "signing in to the dashboard",
  (site) => {
    async function signIn(page: Page, token: string): Promise<void> {
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
    }

    it("leads back to the page that somebody wanted to see, and out again", async () => {
      const path = "/dashboard/executions/order/nobody";
      const page = await site().page(path);
      await signIn(page, "wrong");
      await eventually(async () => expect(await page.getByRole("alert").innerText()).toContain("not valid"));
      await signIn(page, "full-secret");
      await eventually(async () =>
        expect(await page.locator("main").innerText()).toContain("There is no such execution."),
      );
      expect(new URL(page.url()).pathname).toBe(path);
      await page.getByRole("button", { name: "Sign out" }).click();
      await eventually(async () => expect(await page.getByLabel("Token").count()).toBe(1));
    });

    it("with the read token shows everything and offers nothing", async () => {
      await fetch(`${site().url}/v1/workflows/order/executions`, {
        method: "POST",
        headers: { authorization: "Bearer full-secret", "content-type": "application/json" },
        body: JSON.stringify({ id: "seen", input: { sku: "lamp", cents: 1 } }),
      });
      const page = await site().page("/dashboard/executions/order/seen");
      await signIn(page, "read-secret");
      await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toContain("charge-card"));
      expect(await page.locator(".connection").innerText()).toContain("live");
      expect(await page.locator(".top").innerText()).toContain("read only");
      expect(await page.getByRole("button", { name: /Cancel|Pause|Fork|Signal|Terminate|Run again/ }).count()).toBe(0);
    });
  },
  SECRETS,
);
