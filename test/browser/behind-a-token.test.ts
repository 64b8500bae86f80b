import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, fitsWidth, PHONE, screenshot } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";
import { violations } from "./violations.ts";

const OWN = {
  config: join(import.meta.dirname, "without-directory/wrangler.toml"),
  vars: { STEPWELL_TOKEN: "full-secret", STEPWELL_READ_TOKEN: "read-secret" },
};

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const words = async (page: Page) => await page.locator("main").innerText();

describeInBrowser(
  "a deployment with tokens and without a directory",
  (site) => {
    async function start(id: string): Promise<void> {
      const response = await fetch(`${site().url}/v1/workflows/order/executions`, {
        method: "POST",
        headers: { authorization: "Bearer full-secret", "content-type": "application/json" },
        body: JSON.stringify({ id, input: { sku: "lamp", cents: 1 } }),
      });
      expect(response.status).toBe(201);
    }

    it("leads who signs in back to the page that they wanted to see, and out again", async () => {
      const path = "/dashboard/executions/order/nobody";
      const page = await site().page(path);
      await signIn(page, "wrong");
      await eventually(async () => expect(await page.getByRole("alert").innerText()).toContain("not valid"));
      await signIn(page, "full-secret");
      await eventually(async () => expect(await words(page)).toContain("There is no such execution."));
      expect(new URL(page.url()).pathname).toBe(path);
      // Somebody answers: that there is nothing to follow is no lost connection.
      expect(await page.locator(".connection").count()).toBe(0);
      await page.getByRole("button", { name: "Sign out" }).click();
      await eventually(async () => expect(await page.getByLabel("Token").count()).toBe(1));
    });

    it("shows everything to the read token, and offers nothing", async () => {
      await start("seen");
      const page = await site().page("/dashboard/executions/order/seen");
      await signIn(page, "read-secret");
      await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toContain("charge-card"));
      await eventually(async () => expect(await page.locator(".connection").innerText()).toContain("live"));
      expect(await page.locator(".top").innerText()).toContain("read only");
      expect(await page.getByRole("button", { name: /Cancel|Pause|Fork|Signal|Terminate|Run again/ }).count()).toBe(0);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Token").waitFor();
    });

    it("opens an execution by its workflow and id, and remembers it", async () => {
      await start("known");
      const page = await site().page("/dashboard");
      await signIn(page, "full-secret");
      await eventually(async () => expect(await words(page)).toContain("has no directory"));
      await page.getByLabel("Id").fill("known");
      await page.getByRole("button", { name: "Open" }).click();
      await eventually(async () => expect(await page.locator("h1").innerText()).toBe("known"));
      await page.goBack();
      await eventually(async () => expect(await page.locator(".family").innerText()).toContain("order/known"));
    });

    it("breaks no rule of accessibility where there is no list, in both themes, and fits a phone", async () => {
      const page = await site().page("/dashboard");
      await page.locator(".empty").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: "dark" });
      expect([await violations(page), await fitsWidth(page)]).toEqual([[], true]);
      await screenshot(page, "list-without-directory-dark-phone");
    });

    it("has no schedules, and says of workflows only what is deployed", async () => {
      const page = await site().page("/dashboard/schedules");
      await eventually(async () => expect(await words(page)).toContain("Nothing is started by the clock."));
      await page.getByRole("link", { name: "Workflows" }).click();
      await eventually(async () => expect(await words(page)).toContain("Without a directory"));
    });
  },
  OWN,
);
