import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { BrowserWorker } from "./browser-worker.ts";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What all files look at; nothing where there is no browser. */
    readonly browserTests: { readonly worker: string; readonly browser: string } | null;
  }
}

/** Before all browser tests: one Worker, and one browser in which each file has a profile of its own. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    sayThatThereIsNone();
    project.provide("browserTests", null);
    return undefined;
  }
  const browser = await chromium.launchServer({ executablePath, args: CHROMIUM_FLAGS });
  const worker = await BrowserWorker.start().catch(async (fault: unknown) => {
    await browser.close();
    throw fault;
  });
  project.provide("browserTests", { worker: worker.url, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    await worker.close();
  };
}

/** Says why the tests are left out, or fails where they must not be. */
function sayThatThereIsNone(): void {
  const wanted = "Cannot run the browser tests as chromium must be installed: current value is none.";
  const help = "Install it, for instance by `apt-get install chromium`, or say where it is by CHROMIUM_PATH.";
  if (process.env["STEPWELL_BROWSER"] === "required") throw new Error(`${wanted} ${help}`);
  console.warn(`${wanted} They are left out. ${help}`);
}
