import { expect, it } from "vitest";
import { describeInBrowser } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";

describeInBrowser("the dashboard's connection", (site) => {
  it("asks for the journal where no WebSocket can be had", async () => {
    const path = await site().start("order", "polled", { sku: "lamp", cents: 100 });
    const page = await site().page("/dashboard/workflows");
    await page.routeWebSocket(/\/events/, (socket) => socket.close({ code: 1_011 }));
    await page.goto(`${site().url}${path}`);
    await eventually(async () => expect(await page.locator(".connection").innerText()).toContain("asks every 2 s"));
    await eventually(
      async () => expect(await page.locator(".sentence-main").innerText()).toContain("signal approval"),
      30_000,
    );
    await site().post("/v1/workflows/order/executions/polled/signals/approval", { approved: false });
    await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toContain("NOT_APPROVED"));
    await eventually(async () =>
      expect(await page.locator(".connection").innerText()).toContain("nothing more will come"),
    );
  });

  it("says that nobody answers while the Worker is gone, and goes on when it is back", async () => {
    const path = await site().start("reminder", "long", { to: "a@example.com", interval: "1h" });
    const page = await site().page(path);
    const connection = page.locator(".connection");
    await eventually(async () => expect(await connection.innerText()).toContain("live"));
    await site().restart(async () => {
      await eventually(async () => expect(await connection.innerText()).toContain("disconnected"));
      // What was known stays.
      expect(await page.locator(".sentence-main").innerText()).toMatch(/^Sleeps until/);
      await page.getByRole("button", { name: "Pause …" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pause it" }).click();
      await eventually(async () => expect(await page.getByRole("alert").innerText()).toContain("UNREACHABLE"));
      await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
    });
    await eventually(async () => expect(await connection.innerText()).toContain("live"), 30_000);
    await site().post("/v1/workflows/reminder/executions/long/pause", { reason: "enough" });
    await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toContain("enough"));
  });

  it("stays smooth with a thousand steps, of which only those in sight are in the page", async () => {
    const page = await site().page(await site().start("march", "thousand", { steps: 1_000 }));
    await eventually(
      async () => expect(await page.locator(".sentence-main").innerText()).toContain("Completed"),
      60_000,
    );
    await eventually(async () =>
      expect(await page.locator(".timeline .bar").first().innerText()).toContain("1000 operations"),
    );
    expect(await page.locator(".row").count()).toBeLessThan(60);
    expect(await page.locator(".entry").count()).toBeLessThan(60);
    // The machine may be busy with other things for a while: half of the pictures tell what the page needs.
    expect(await page.evaluate(SCROLLING)).toBeLessThan(60);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("button", { name: "Fit" }).click();
    const startedAt = Date.now();
    await page.getByRole("slider").fill("1000");
    await eventually(async () => expect(await page.locator(".travel-text").innerText()).toContain("Entry 1000 of"));
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });
});

/** The median time between two pictures, in milliseconds, while somebody scrolls through all rows. */
const SCROLLING = `new Promise((resolve) => {
  const box = document.querySelector(".timeline .virtual");
  const lengths = [];
  let last = performance.now();
  const step = (now) => {
    lengths.push(now - last);
    last = now;
    box.scrollTop += 400;
    if (lengths.length < 80) requestAnimationFrame(step);
    else resolve(lengths.sort((a, b) => a - b)[40]);
  };
  requestAnimationFrame(step);
})`;
