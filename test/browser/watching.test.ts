import { expect, it } from "vitest";
import { describeInBrowser, screenshot } from "./dashboard-site.ts";
import { eventually } from "./eventually.ts";

describeInBrowser("watching an execution", (site) => {
  it("shows live how it waits for a retry, counts down, and goes on by itself", async () => {
    const page = await site().page("/dashboard");
    const path = await site().start("order", "watched", { sku: "lamp", cents: 4_900 });
    await page.goto(`${site().url}${path}`);
    const sentence = page.locator(".sentence-main");
    await eventually(async () => {
      const said = await sentence.innerText();
      expect(said).toMatch(/^Waits for charge-card, attempt 2 of 5, until .* \(in \d+ s\), because/);
      expect(said).toContain("/payments/4900 answered 503");
      expect(said).toContain("the service asked for 6 s (Retry-After)");
    });
    // The time before each attempt is counted down by itself.
    const counted = new Map<string, Set<number>>();
    await eventually(async () => {
      const found = /attempt (\d) of 5.*\(in (\d+) s\)/.exec(await sentence.innerText());
      if (found !== null) counted.set(`${found[1]}`, (counted.get(`${found[1]}`) ?? new Set()).add(Number(found[2])));
      expect([...counted.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(2);
    });
    for (const seconds of counted.values()) {
      expect([...seconds]).toEqual([...seconds].toSorted((one, other) => other - one));
    }
    // Without anybody touching the page.
    await eventually(async () => expect(await sentence.innerText()).toContain("attempt 3 of 5"));
    await eventually(async () => expect(await sentence.innerText()).toContain("Waits for the signal approval"));
    expect(await page.locator(".connection").innerText()).toContain("live");
    const bars = page.locator(".row", { hasText: "charge-card" }).locator(".span");
    expect(await bars.count()).toBe(5);
    await screenshot(page, "watched");
  });

  it("is signalled by a form that is made of the signal's schema", async () => {
    const page = await site().page("/dashboard/executions/order/watched");
    await page.getByRole("button", { name: "Send approval …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Send" }).click();
    await eventually(async () => expect(await dialog.locator(".issue").innerText()).toBe("It must be there."));
    await eventually(async () => {
      expect(await page.evaluate("document.activeElement.labels?.[0].innerText")).toBe("approved");
    });
    await dialog.getByLabel("approved").selectOption("true");
    await dialog.getByRole("button", { name: "Send" }).click();
    await eventually(
      async () => expect(await page.locator(".sentence-main").innerText()).toContain("Completed after"),
      20_000,
    );
    expect(await page.locator(".heading .state").innerText()).toContain("completed");
    expect(await page.title()).toBe("✓ watched · order · Stepwell");
    await eventually(async () => {
      expect(await page.locator(".connection").innerText()).toContain("nothing more will come");
    });
    expect(await page.locator(".signals").innerText()).toContain("read by approval");
    expect(await page.locator(".values").innerText()).toContain('"tracking"');
  });

  it("says of a step every attempt, why it failed, and when it was tried again", async () => {
    const page = await site().page("/dashboard/executions/order/watched");
    await page.locator(".row", { hasText: "charge-card" }).click();
    const detail = page.locator(".detail");
    const text = await detail.innerText();
    expect(text).toContain("at most 5 attempts; 1 s × 2 up to 30 s");
    expect(text).toContain("Attempt 1 failed");
    expect(text).toContain("caused by Error");
    expect(text).toContain("the service asked for 6 s (Retry-After)");
    expect(text).toContain("Attempt 3 completed");
    expect(text).toContain('"payments-');
    expect(text).toContain("Where every attempt fails at once: 5 attempts in 15 s");
    expect(await detail.locator(".dot-attempt").count()).toBe(3);
    expect(await detail.locator(".dot-failed").count()).toBe(2);
    await detail.getByRole("button", { name: "Close the details" }).click();
    expect(await page.locator(".detail").count()).toBe(0);
  });

  it("looks closely at one step of a long execution, and at all of it again", async () => {
    const page = await site().page("/dashboard/executions/order/watched");
    const row = page.locator(".row", { hasText: "reserve-stock" });
    await row.click();
    const width = async () => (await row.locator(".span").first().boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole("button", { name: "Zoom to it" }).click();
    await eventually(async () => expect(await width()).toBeGreaterThan(before * 5));
    await page.getByRole("button", { name: "Fit" }).click();
    await eventually(async () => expect(await width()).toBe(before));
  });

  it("shows it as it was at any entry, and comes back to now", async () => {
    const page = await site().page("/dashboard/executions/order/watched");
    const sentence = page.locator(".sentence-main");
    await eventually(async () => expect(await sentence.innerText()).toContain("Completed"));
    const slider = page.getByRole("slider");
    // Where the directory was told in between is no matter of this test.
    const failed = await site().firstEntry("order", "watched", "attempt-failed");
    await slider.fill(String(failed));
    expect(await sentence.innerText()).toMatch(/^Waits for charge-card, attempt 2 of 5/);
    expect(await page.locator(".travel-text").innerText()).toContain(`Entry ${failed} of`);
    expect(await page.locator(".row").count()).toBe(2);
    const started = await site().firstEntry("order", "watched", "attempt-started");
    await slider.fill(String(started + 1));
    await page.getByRole("button", { name: "One entry back" }).click();
    expect(await sentence.innerText()).toMatch(/^Runs reserve-stock, attempt 1/);
    await slider.fill("0");
    expect(await page.locator(".row").count()).toBe(0);
    await screenshot(page, "travelled");
    await page.getByRole("button", { name: "Now" }).click();
    expect(await sentence.innerText()).toContain("Completed");
  });

  it("shows the journal, opens an entry, and gives it to be copied and saved", async () => {
    const page = await site().page("/dashboard/executions/order/watched");
    const journal = page.locator(".journal");
    await journal.locator(".entry", { hasText: "attempt-failed" }).first().click();
    expect(await journal.locator(".opened").innerText()).toContain('"because": "retry-after"');
    await journal.getByRole("button", { name: "Show the execution as it was then" }).click();
    expect(await page.locator(".sentence-main").innerText()).toMatch(/^Waits for charge-card/);
    await journal.getByRole("button", { name: "Copy all" }).click();
    await eventually(async () => expect(await journal.innerText()).toContain("Copied"));
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(copied.split("\n").map((line) => (JSON.parse(line) as { entry: number }).entry)).toEqual(
      Array.from({ length: copied.split("\n").length }, (_, entry) => entry),
    );
    const downloading = page.waitForEvent("download");
    await journal.getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("order-watched.ndjson");
    const saved: Buffer[] = [];
    for await (const part of await download.createReadStream()) saved.push(part as Buffer);
    expect(Buffer.concat(saved).toString().trimEnd()).toBe(copied);
  });

  it("links a child and its parent", async () => {
    const page = await site().page(await site().start("parent", "mother", { ms: 60_000 }));
    await eventually(async () => {
      expect(await page.locator(".sentence-main").innerText()).toMatch(/^Waits for the end of child\//);
    });
    await page.locator(".sentence-main a").click();
    await eventually(async () => expect(await page.locator(".sentence-main").innerText()).toMatch(/^Sleeps until/));
    await page.getByRole("link", { name: "parent/mother" }).click();
    await eventually(async () => expect(await page.locator("h1").innerText()).toBe("mother"));
  });

  it("shows rollbacks, and what a failed execution has left", async () => {
    const page = await site().page(await site().start("saga", "trip", { city: "rome" }));
    await eventually(
      async () => expect(await page.locator(".sentence").innerText()).toContain("Failed with NO_CAR"),
      20_000,
    );
    expect(await page.locator(".sentence").innerText()).toContain("book-car was given up after 3 attempts");
    expect(await page.locator(".sentence").innerText()).toContain("2 of 2 steps with a rollback were rolled back.");
    expect(await page.locator(".timeline .bar").first().innerText()).toContain("3 operations, 2 rollbacks");
    expect(await page.locator(".happenings .mark-rollback").count()).toBe(1);
    await page.locator(".row", { hasText: "Rollback of book-hotel" }).click();
    expect(await page.locator(".detail").innerText()).toContain("Rollback");
  });

  it("says why a fault has paused it", async () => {
    const page = await site().page(await site().start("broken", "bug"));
    await eventually(async () => {
      expect(await page.locator(".sentence-main").innerText()).toMatch(
        /^Paused since .* by RUN_FAILED: .*total is not a function/,
      );
    }, 20_000);
    expect(await page.locator(".happenings .pause").count()).toBe(1);
    expect(await page.locator(".happenings .mark-run").count()).toBeGreaterThan(0);
  });

  it("says that there is no such execution", async () => {
    const page = await site().page("/dashboard/executions/order/nobody");
    await eventually(async () =>
      expect(await page.locator("main").innerText()).toContain("There is no such execution."),
    );
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
    // The machine may be busy with other things for a while: what the page needs shows when it is not.
    await eventually(async () => expect(await page.evaluate(SCROLLING)).toBeLessThan(40), 30_000);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("button", { name: "Fit" }).click();
    await eventually(async () => {
      await page.getByRole("button", { name: "Now" }).click({ force: true });
      const startedAt = Date.now();
      await page.getByRole("slider").fill("1000");
      await page.getByText("Entry 1000 of").waitFor();
      expect(Date.now() - startedAt).toBeLessThan(1_000);
    }, 30_000);
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
