import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { ROOT, freePort, startWorker, type Worker } from "../../examples/demo/processes.ts";
import { examplePlan, type FlakyService, startFlakyService } from "../../examples/flaky-service.ts";
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

/** The Worker of the browser tests, the service that it calls, and a browser that looks at it. */
export class DashboardSite {
  readonly #folder: string;
  readonly #service: FlakyService;
  readonly #port: number;
  readonly #context: BrowserContext;
  readonly faults: string[] = [];
  worker: Worker;

  private constructor(parts: {
    folder: string;
    service: FlakyService;
    port: number;
    worker: Worker;
    context: BrowserContext;
  }) {
    this.#folder = parts.folder;
    this.#service = parts.service;
    this.#port = parts.port;
    this.worker = parts.worker;
    this.#context = parts.context;
  }

  static async open(vars: Readonly<Record<string, string>> = {}): Promise<DashboardSite> {
    const folder = await mkdtemp(join(tmpdir(), "stepwell-browser-"));
    const service = await startFlakyService({ plan: examplePlan({ retryAfterSeconds: 6 }) });
    const port = await freePort();
    const worker = await startWorker(workerOptions({ folder, port, service, vars }));
    // A profile of its own, which is empty.
    const context = await chromium.launchPersistentContext(join(folder, "profile"), {
      executablePath: findChromium() ?? "",
      args: CHROMIUM_FLAGS,
      acceptDownloads: true,
      viewport: DESKTOP,
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: worker.url });
    return new DashboardSite({ folder, service, port, worker, context });
  }

  get url(): string {
    return this.worker.url;
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.worker.stop();
    await this.#service.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends the Worker, and starts it again on what it has stored. */
  async restart(while_: () => Promise<void>): Promise<void> {
    await this.worker.kill();
    await while_();
    this.worker = await startWorker(
      workerOptions({ folder: this.#folder, port: this.#port, service: this.#service, vars: {} }),
    );
  }

  /** A new tab. What it logs as an error, or throws, is a fault of the test that opened it. */
  async page(path: string, { theme = "light", viewport = DESKTOP }: Look = {}): Promise<Page> {
    const page = await this.#context.newPage();
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
    for (const page of this.#context.pages()) await page.close();
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

  async view(workflow: string, id: string): Promise<{ readonly state: string }> {
    const response = await fetch(`${this.url}/v1/workflows/${workflow}/executions/${id}`);
    return await response.json<{ readonly state: string }>();
  }
}

function workerOptions(parts: {
  folder: string;
  port: number;
  service: FlakyService;
  vars: Readonly<Record<string, string>>;
}) {
  const { folder, port, service, vars } = parts;
  const config = join(import.meta.dirname, "wrangler.toml");
  return { port, persistTo: join(folder, "state"), vars: { FLAKY_URL: service.url, ...vars }, config };
}

/** Tests of pages, in a browser; without one they are left out, and `require-chromium.ts` says so. */
export function describeInBrowser(subject: string, suite: (site: () => DashboardSite) => void): void {
  describe.skipIf(findChromium() === undefined)(`${subject}, in a browser`, () => {
    let site: DashboardSite | undefined;
    beforeAll(async () => {
      site = await DashboardSite.open();
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
