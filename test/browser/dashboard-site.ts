import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject } from "vitest";
import { ROOT } from "../../examples/demo/processes.ts";
import { BrowserWorker, type BrowserWorkerOptions } from "./browser-worker.ts";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";

/** An ignored folder, for people to look at. */
export const SCREENSHOTS = join(ROOT, ".screenshots");

export const THEMES = ["light", "dark"] as const;
export const DESKTOP = { width: 1_280, height: 860 };
export const PHONE = { width: 375, height: 812 };

export interface Look {
  readonly theme?: (typeof THEMES)[number];
  readonly viewport?: { readonly width: number; readonly height: number };
}

interface SiteParts {
  readonly url: string;
  /** Where the tests have one of their own. */
  readonly worker: BrowserWorker | undefined;
  readonly browser: Browser;
  readonly context: BrowserContext;
}

/** A Worker, and a browser that looks at it: pages of one browser wait for each other's frames. */
export class DashboardSite {
  readonly #parts: SiteParts;
  readonly faults: string[] = [];

  private constructor(parts: SiteParts) {
    this.#parts = parts;
  }

  /** @param own the Worker of these tests alone; without it they share one, where each starts executions of its own ids */
  static async open(own: BrowserWorkerOptions | undefined): Promise<DashboardSite> {
    const shared = inject("sharedWorker");
    const executablePath = findChromium();
    if (shared === null || executablePath === undefined)
      throw new Error("There is a browser, or these tests are left out.");
    const worker = own === undefined ? undefined : await BrowserWorker.start(own);
    const url = worker?.url ?? shared;
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
    const context = await browser.newContext({ acceptDownloads: true, viewport: DESKTOP });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    return new DashboardSite({ url, worker, browser, context });
  }

  get url(): string {
    return this.#parts.url;
  }

  async close(): Promise<void> {
    await this.#parts.context.close();
    await this.#parts.browser.close();
    await this.#parts.worker?.close();
  }

  /** Ends the Worker of these tests, and starts it again on what it has stored. */
  async restart(while_: () => Promise<void>): Promise<void> {
    if (this.#parts.worker === undefined) throw new Error("Others look at this Worker, too.");
    await this.#parts.worker.restart(while_);
  }

  /** A new tab. What it logs as an error, or throws, is a fault of the test that opened it. */
  async page(path: string, { theme = "light", viewport = DESKTOP }: Look = {}): Promise<Page> {
    const page = await this.#parts.context.newPage();
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      // A refused request is logged by the browser itself; the test that asks for one looks at the page.
      const isRefused = message.text().startsWith("Failed to load resource");
      const isLost = message.text().includes("WebSocket connection");
      if (message.type() === "error" && !isRefused && !isLost) this.faults.push(message.text());
    });
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(viewport);
    await page.goto(`${this.url}${path}`);
    return page;
  }

  async closePages(): Promise<void> {
    for (const page of this.#parts.context.pages()) await page.close();
  }

  async start(workflow: string, id: string, input?: unknown): Promise<string> {
    await this.post(`/v1/workflows/${workflow}/executions`, { id, input });
    return `/dashboard/executions/${workflow}/${id}`;
  }

  async post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  }

  /** The number of the first entry of a type in a journal. */
  async firstEntry(workflow: string, id: string, type: string): Promise<number> {
    const response = await fetch(`${this.url}/v1/workflows/${workflow}/executions/${id}/journal`);
    const { entries } = await response.json<{ entries: readonly { entry: number; type: string }[] }>();
    const found = entries.find((each) => each.type === type);
    if (found === undefined) throw new Error(`${workflow}/${id} has no ${type}.`);
    return found.entry;
  }

  async view(workflow: string, id: string): Promise<{ readonly state: string }> {
    const response = await fetch(`${this.url}/v1/workflows/${workflow}/executions/${id}`);
    return await response.json<{ readonly state: string }>();
  }
}

/** Tests of pages, in a browser; without one they are left out, and `set-up.ts` says so. */
export function describeInBrowser(
  subject: string,
  suite: (site: () => DashboardSite) => void,
  own?: BrowserWorkerOptions,
): void {
  describe.skipIf(findChromium() === undefined)(`${subject}, in a browser`, () => {
    let site: DashboardSite | undefined;
    beforeAll(async () => {
      site = await DashboardSite.open(own);
    });
    afterEach(async () => {
      await site?.closePages();
      expect(site?.faults.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await site?.close();
    });
    suite(() => {
      if (site === undefined) throw new Error("The site is there from the first test on.");
      return site;
    });
  });
}

/** For people to look at: `.screenshots/NAME.png`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** True where nothing stands out to the right of what is seen. */
export async function fitsWidth(page: Page): Promise<boolean> {
  return await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");
}
