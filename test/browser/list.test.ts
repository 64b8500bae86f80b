import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, screenshot } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";

const rows = (page: Page) => page.locator(".execution-row");
const ids = async (page: Page) => await page.locator(".execution-row .id").allInnerTexts();
const STARTED = 120;

const LATE_LOOKS = `globalThis.IntersectionObserver = class extends IntersectionObserver {
  constructor(call, options) {
    super((looks) => call([...looks.map(({ target }) => ({ target, isIntersecting: false })), ...looks]), options);
  }
};`;

describeInBrowser("the list of executions", (site) => {
  it("shows live what is started, what it waits for, and how many there are in each state", async () => {
    const page = await site().page("/dashboard?search=live-");
    const failed = async () => Number(await page.getByRole("button", { name: "failed" }).locator(".count").innerText());
    await eventually(async () => expect(await failed()).toBeGreaterThanOrEqual(0));
    const before = await failed();
    await site().start("order", "live-order", { sku: "lamp", cents: 4_900 });
    await site().start("reminder", "live-sleeper", { to: "a@example.com", interval: "1h" });
    await site().start("saga", "live-trip", { city: "rome" });
    // Without anybody touching the page.
    await eventually(async () => {
      expect(await ids(page)).toEqual(["live-trip", "live-sleeper", "live-order"]);
      expect(await rows(page).nth(0).innerText()).toContain("NO_CAR");
      expect(await rows(page).nth(1).innerText()).toMatch(/sleeps, wakes in \d+ min/);
      expect(await failed()).toBeGreaterThan(before);
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
    const page = await site().page("/dashboard?workflow=child&search=many-");
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

  it("goes on where a page was empty, or was refused, without anybody's help", async () => {
    const page = await site().page("/dashboard/workflows");
    // As where a page is busy: what was seen before comes together with what is seen now.
    await page.addInitScript(LATE_LOOKS);
    const answers = ["empty", "refused"];
    await page.route(/\/v1\/executions\?.*cursor=/, async (route) => {
      const answer = answers.shift();
      if (answer === undefined) return await route.continue();
      if (answer === "refused") return await route.abort();
      const next = new URL(route.request().url()).searchParams.get("cursor");
      await route.fulfill({ json: { executions: [], next } });
    });
    await page.goto(`${site().url}/dashboard?workflow=child&search=many-`);
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      expect(await rows(page).count()).toBe(STARTED);
    }, 30_000);
    expect(answers).toEqual([]);
  });

  it("filters by state, workflow, time, id and attribute, and the address holds the filter", async () => {
    const page = await site().page("/dashboard");
    await page.getByLabel("Search").fill("live-");
    await page.getByRole("button", { name: "failed" }).click();
    await eventually(async () => expect(await ids(page)).toEqual(["live-trip"]));
    expect(page.url()).toContain("state=failed");
    await page.getByRole("button", { name: "all" }).click();
    await page.getByLabel("Workflow").selectOption("reminder");
    await eventually(async () => expect(await ids(page)).toEqual(["live-sleeper"]));
    await page.getByLabel("Started").selectOption("1h");
    await page.getByLabel("Workflow").selectOption("");
    await page.getByLabel("Search").fill("many-11");
    await eventually(async () => expect(await rows(page).count()).toBe(11));
    await page.reload();
    await eventually(async () => expect(await rows(page).count()).toBe(11));
    expect(await page.getByLabel("Search").inputValue()).toBe("many-11");
    await page.getByLabel("Search").fill("odd express=true");
    await eventually(async () => expect(await ids(page)).toEqual(["odd"]));
    await page.getByLabel("Search").fill("nothing");
    await eventually(async () => expect(await page.locator("main").innerText()).toContain("Nothing fits this filter."));
    await page.getByRole("link", { name: "Show everything" }).click();
    await eventually(async () => expect(await rows(page).count()).toBeGreaterThan(10));
  });

  it("looks between two times, which the address holds for everybody", async () => {
    const page = await site().page("/dashboard?search=live-");
    await eventually(async () => expect(await rows(page).count()).toBe(3));
    await page.getByLabel("Started").selectOption("between");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
    await eventually(async () => expect(await page.locator("main").innerText()).toContain("Nothing fits this filter."));
    expect(page.url()).toContain("since=between");
    expect(new URL(page.url()).searchParams.get("to")).toMatch(/^20(19|20)-\d\d-\d\dT.*Z$/);
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00");
    await eventually(async () => expect(await rows(page).count()).toBe(3));
    await page.reload();
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2020-01-01T00:00");
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
    await card.getByRole("button", { name: "Start now …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start it" }).click();
    await eventually(async () => expect(await card.locator(".facts").innerText()).toContain("failed"), 30_000);
  });
});
