import { expect, it } from "vitest";
import { describeInBrowser } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";

/** A Worker of its own, as it is ended here. */
const OWN = {};

describeInBrowser(
  "the dashboard's connection",
  (site) => {
    it("says that nothing has been started yet", async () => {
      const page = await site().page("/dashboard");
      await eventually(async () =>
        expect(await page.locator("main").innerText()).toContain("Nothing has been started yet."),
      );
    });

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

    it("asks for the journal where the handshake of the WebSocket is never answered", async () => {
      const path = await site().start("order", "unanswered", { sku: "lamp", cents: 100 });
      const page = await site().page("/dashboard/workflows");
      await page.addInitScript(
        "WebSocket = class extends EventTarget { static CONNECTING = 0; static OPEN = 1; readyState = 0; close() {} }",
      );
      await page.goto(`${site().url}${path}`);
      const sentence = page.locator(".sentence-main");
      await eventually(async () => expect(await sentence.innerText()).toContain("signal approval"), 30_000);
      expect(await page.locator(".connection").innerText()).toContain("asks every 2 s");
    });

    it("says that nobody answers while the Worker is gone, and goes on when it is back", async () => {
      const path = await site().start("reminder", "long", { to: "a@example.com", interval: "1h" });
      const page = await site().page(path);
      const connection = page.locator(".connection");
      await eventually(async () => expect(await connection.innerText()).toContain("live"));
      const list = await site().page("/dashboard");
      await list.locator(".execution-row").first().waitFor();
      await site().restart(async () => {
        await eventually(async () => expect(await list.getByRole("alert").innerText()).toContain("UNREACHABLE"));
        // What was known stays.
        expect(await list.locator(".execution-row").count()).toBeGreaterThan(0);
        await eventually(async () => expect(await connection.innerText()).toContain("disconnected"));
        expect(await page.locator(".sentence-main").innerText()).toMatch(/^Sleeps until/);
        await page.getByRole("button", { name: "Pause …" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Pause it" }).click();
        await eventually(async () => expect(await page.getByRole("alert").innerText()).toContain("UNREACHABLE"));
        await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
      });
      await eventually(async () => expect(await connection.innerText()).toContain("live"), 30_000);
      await eventually(async () => expect(await list.getByRole("alert").count()).toBe(0));
      await site().post("/v1/workflows/reminder/executions/long/pause", { reason: "enough" });
      await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toContain("enough"));
    });
  },
  OWN,
);
